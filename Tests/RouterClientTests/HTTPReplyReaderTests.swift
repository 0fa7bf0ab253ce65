import RouterTesting
import TestSupport
import Testing

@testable import RouterClient

// Promise P80.
struct HTTPReplyReaderTests {
  /// A parsed reply.
  private struct Reply: Equatable {
    var status: Int?
    var headers = HeaderFields()
    var body: [UInt8] = []
    var hasEnded = false
    var isComplete = false

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private func read(_ pieces: some Sequence<ArraySlice<UInt8>>, maximumBytes: Int = .max) throws -> Reply {
    var (reader, body) = (HTTPReplyReader(maximumBytes: maximumBytes), [UInt8]())
    for piece in pieces {
      for part in try reader.feed(piece) {
        #expect(!part.isEmpty)
        body += part
      }
    }
    return Reply(
      status: reader.status, headers: reader.headers, body: body, hasEnded: reader.hasEnded, isComplete: reader.isComplete)
  }

  private func read(_ text: String) throws -> Reply { try read([Array(text.utf8)[...]]) }

  private static let replies = [
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nHello",
    "HTTP/1.1 200 OK\r\ncontent-length: 5, 5\r\nContent-Length: 5\r\n\r\nHello",
    "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nHe\r\n3;a=\"b\"\r\nllo\r\n0\r\nTrailer: x\r\n\r\n",
    // Chunked encoding overrides a length (RFC 9112, section 6.3).
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nHello\r\n0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHello",
    "\r\nHTTP/1.1 200 OK\nContent-Length:5 \t\n\nHello",
  ]

  @Test(arguments: replies)
  func `reads a reply of each framing`(text: String) throws {
    let reply = try read(text)
    #expect((reply.status, reply.text) == (200, "Hello"))
    #expect(reply.hasEnded && reply.isComplete)
  }

  @Test(arguments: replies)
  func `reads the same reply however its bytes are split`(text: String) throws {
    let (bytes, whole) = (Array(text.utf8), try read(text))
    for cut in bytes.indices { #expect(try read([bytes[..<cut], bytes[cut...]]) == whole, "cut at \(cut)") }
    #expect(try read(bytes.indices.map { bytes[$0...$0] }) == whole)
  }

  @Test(arguments: replies)
  func `a truncated reply is not complete`(text: String) throws {
    let bytes = Array(text.utf8)
    for end in bytes.indices { #expect(try !read([bytes[..<end]]).isComplete, "cut at \(end)") }
  }

  @Test func `reads a body without a length until the connection ends`() throws {
    let reply = try read("HTTP/1.0 200 OK\r\nServer: old\r\n\r\nHello")
    #expect(reply.text == "Hello")
    #expect(reply.isComplete && !reply.hasEnded)
  }

  @Test(arguments: ["204 No Content", "304 Not Modified", "200 OK\r\nContent-Length: 0"])
  func `reads replies without a body`(status: String) throws {
    let reply = try read("HTTP/1.1 \(status)\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
    #expect(reply.body.isEmpty)
    #expect(reply.hasEnded)
  }

  @Test func `finds header fields by case-insensitive name`() throws {
    let headers = try read("HTTP/1.1 200 OK\r\nRetry-After:  5 \r\nX: a\r\nx: b, c\r\nEmpty:\r\n\r\n").headers
    #expect(headers.first(name: "retry-AFTER") == "5")
    #expect(headers["X"] == ["a", "b, c"])
    #expect(headers.list("x") == ["a", "b", "c"])
    #expect(headers.first(name: "empty") == "")
    #expect(headers.first(name: "y") == nil)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 099 No\r\n\r\n",
    "HTTP/1.1 2x0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\n", "HTTP/1.1 200 OK\r\nName : x\r\n\r\n",
    "HTTP/1.1 200 OK\r\n folded: x\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
    "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: HTTPReplyReader.maximumHeadBytes),
    "HTTP/1.1 200 OK\r\n" + String(repeating: "X: x\r\n", count: HTTPReplyReader.maximumHeadBytes / 6),
  ])
  func `rejects malformed replies`(text: String) {
    #expect(throws: HTTPReplyReader.Malformed.self, "\(text.prefix(80))") { try read(text) }
  }

  @Test(arguments: [
    // Interim replies, blank lines, chunk sizes and trailers are cheap for a sender to repeat.
    ("HTTP/1.1 100 Continue\r\n\r\n", 1000), ("\r\n", 1_000_000),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + String(repeating: "x", count: 2000), 1),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + String(repeating: "X: y\r\n", count: 20_000), 1),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "1\r\nx\r\n", count: 20_000), 1),
    ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 70_000), 1),
  ])
  func `rejects an endless reply`(text: String, count: Int) {
    var reader = HTTPReplyReader(maximumBytes: 65_536)
    #expect(throws: HTTPReplyReader.Malformed.self) {
      for _ in 0..<count { _ = try reader.feed(Array(text.utf8)[...]) }
    }
  }

  @Test(.timeLimit(.minutes(600)))
  func `never traps, exceeds the limit or depends on splitting for generated bytes`() {
    Fuzzer.run("HTTP replies", Self.replies) { bytes, seed in
      var generator = SplitMix64(seed: seed)
      let limit = Int.random(in: 1...200, using: &generator)
      var pieces: [ArraySlice<UInt8>] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        pieces.append(rest.prefix(Int.random(in: 1...40, using: &generator)))
        rest = rest.dropFirst(pieces.last?.count ?? 1)
      }
      let whole = Result { try read([bytes[...]], maximumBytes: limit) }
      let split = Result { try read(pieces, maximumBytes: limit) }
      #expect((try? whole.get()) == (try? split.get()), "seed \(seed)")
      switch whole {
      case .success(let reply):
        #expect(reply.body.count <= limit, "seed \(seed)")
        return reply.isComplete
      case .failure(let error):
        #expect(error is HTTPReplyReader.Malformed, "seed \(seed): \(error)")
        return false
      }
    }
  }
}
