import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// Searches the daemon's memory for typed passwords that it has delivered.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: ProcessMemory.isPossible, "the kernel does not let this user read its programs' memory"))
struct MemoryCanaryTests {
  private static let form: JSONValue = [
    "kind": "sheet", "sheet": "login",
    "schema": ["type": "object", "properties": ["password": ["type": "string", "format": "password"]]],
  ]

  /// Swift stores up to 15 bytes of a text in place, so copies of shorter ones may stay on the stack. Long bodies take other paths than short
  /// ones: they arrive in parts and are parsed off the loop.
  @Test(arguments: [43, 90_000])
  func `keeps no copy of delivered answers in memory`(length: Int) async throws {
    let canary = String((UUID().uuidString + String(repeating: "canary ", count: length / 7 + 1)).prefix(length))
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      // A connection that stays open: buffers of ended ones are freed.
      let answering = try RawConnection(daemon.socket)
      let asking = try RawConnection(daemon.socket)

      func answer(_ shown: Presentation) async throws {
        let body = #"{"value":{"password":"\#(canary)"},"generation":\#(shown.generation)}"#
        let text = "POST \(APIPath.answer(shown.id)) HTTP/1.1\r\nHost: l\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        answering.send(text)
        answering.send(body)
        let reply = await answering.receive(until: "\"callback\":null}")
        #expect(reply.hasPrefix("HTTP/1.1 200") && !reply.contains(canary))
      }

      // Seven answers: plain, with a key, waited for, streamed, and three in a flow, of which the page checks the last first.
      for headers in ["", "Idempotency-Key: k\r\n", "Prefer: wait=600\r\n"] {
        let body = Self.form.description
        asking.send(
          "POST \(APIPath.presentations) HTTP/1.1\r\nHost: l\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        try await answer(try await presenter.nextPresentation())
        #expect(await asking.receive(until: "\"callback\":null}").contains(canary))
      }
      var streams: [RawConnection] = []
      for isFlow in [false, true] {
        var request = try PresentationRequest(json: Self.form)
        request.flow = isFlow
        let body = request.json.description
        let stream = try RawConnection(daemon.socket)
        stream.send(
          "POST \(APIPath.presentations) HTTP/1.1\r\nHost: l\r\nAccept: text/event-stream\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        for _ in 0..<(isFlow ? 2 : 1) {
          try await answer(try await presenter.nextPresentation())
          #expect(await stream.receive(until: isFlow ? canary : "event: resolved").contains(canary))
        }
        streams.append(stream)
      }
      // The flow's screen is shown again.
      let shown = try await presenter.nextPresentation()
      let check = #"{"fields":{"password":"\#(canary)"}}"#
      answering.send("POST \(APIPath.check(shown.id)) HTTP/1.1\r\nHost: l\r\nContent-Length: \(check.utf8.count)\r\n\r\n")
      answering.send(check)
      #expect(await answering.receive(until: "problems").hasPrefix("HTTP/1.1 200"))
      try await answer(shown)
      #expect(await streams[1].receive(until: canary).contains(canary))

      // An open flow keeps its last answer for its end.
      _ = try await daemon.client.finish(shown.id)
      #expect(await streams[1].receive(until: "event: resolved").contains("event: resolved"))

      // Once the loop has settled.
      let deadline = ContinuousClock.now + .seconds(30)
      var found = try ProcessMemory(of: daemon.process.pid).places(of: canary)
      while !found.isEmpty, ContinuousClock.now < deadline {
        found = try ProcessMemory(of: daemon.process.pid).places(of: canary)
      }
      #expect(found.isEmpty, "the daemon's memory has \(found.count) copies, at \(found)")
      // The search finds what is there.
      #expect(try !ProcessMemory(of: daemon.process.pid).places(of: shown.id.description.prefix(8) + "").isEmpty)
    }
  }
}

/// The memory of a child process (proc_pid_mem(5)).
struct ProcessMemory {
  static let isPossible = geteuid() == 0

  private let pid: pid_t

  init(of pid: pid_t) { self.pid = pid }

  /// Returns the regions that contain a text, once for each place.
  func places(of text: String) throws -> [String] {
    let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
    guard memory >= 0 else { throw RouterError(.database, "cannot read /proc/\(pid)/mem: \(String(cString: strerror(errno)))") }
    defer { close(memory) }
    let part = Array(text.utf8)
    var places: [String] = []
    for line in try String(contentsOfFile: "/proc/\(pid)/maps", encoding: .utf8).split(separator: "\n") {
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      let bounds = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      guard fields[1].hasPrefix("rw"), bounds.count == 2 else { continue }
      var bytes = [UInt8](repeating: 0, count: bounds[1] - bounds[0])
      var count = 0
      while count < bytes.count {
        let read = bytes.withUnsafeMutableBytes {
          pread(memory, $0.baseAddress! + count, $0.count - count, off_t(bounds[0] + count))
        }
        guard read > 0 else { break }
        count += read
      }
      places += Self.offsets(of: part, in: bytes).map { "\(String(bounds[0] + $0, radix: 16)) \(fields.dropFirst(5).joined())" }
    }
    return places
  }

  private static func offsets(of part: [UInt8], in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { bytes in
      var offsets: [Int] = []
      var next = 0
      while next + part.count <= bytes.count,
        let found = memchr(bytes.baseAddress! + next, CInt(part[0]), bytes.count - part.count - next + 1)
      {
        let offset = UnsafeRawPointer(found) - bytes.baseAddress!
        if memcmp(found, part, part.count) == 0 { offsets.append(offset) }
        next = offset + 1
      }
      return offsets
    }
  }
}
