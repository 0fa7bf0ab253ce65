import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Router
import Testing

@testable import routerd

/// Request handling of a connection from request bytes to response bytes, with a manual clock.
///
/// Sections are those of RFC 9110 and RFC 9112.
/// Promise P71.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionHandlerTests {
  /// The received requests and how to respond to them.
  private final class Server {
    var asked: [(request: Request, exchange: Exchange)] = []
    /// Whether to respond immediately with the request body.
    var echoes = true
  }

  private let channel = EmbeddedChannel()
  private let server = Server()

  init() throws {
    var limits = ConnectionLimits()
    limits.requestTime = .seconds(10)
    limits.stallTime = .seconds(5)
    limits.unreadBytes = 1000
    let worker = try ThreadExecutor()
    let executor = LoopExecutor(channel.eventLoop)
    try ConnectionHandler(
      limits: limits, maximumBody: 8, executor: executor, worker: worker, logger: Logger(label: "tests")
    ) { [server] request, exchange in
      server.asked.append((request, exchange))
      if server.echoes { exchange.respond(.success(Response(.ok, body: request.body))) }
    }.add(to: channel)
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/routerd")).wait()
  }

  /// Sends text with HTTP line endings.
  private func send(_ text: String) throws {
    try channel.writeInbound(ByteBuffer(string: text.replacing("\n", with: "\r\n")))
    channel.embeddedEventLoop.run()
  }

  private func advance(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

  /// The output since the last call, without `Date` fields.
  private func written() throws -> String {
    channel.embeddedEventLoop.run()
    var text = ""
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
    return text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("Date: ") }.joined(separator: "\n")
  }

  /// The problem that ends the connection.
  private func problem(sourceLocation: SourceLocation = #_sourceLocation) throws -> Problem {
    let text = try written()
    #expect(text.contains("\nConnection: close\n"), sourceLocation: sourceLocation)
    #expect(!channel.isActive, sourceLocation: sourceLocation)
    return try Problem(json: JSONValue(parsing: Array(try #require(text.split(separator: "\n").last).utf8)))
  }

  private static let ok = "HTTP/1.1 200 OK\nContent-Length: "
  /// An empty response that closes the connection.
  private static let last = "HTTP/1.1 200 OK\nConnection: close\nContent-Length: 0\n\n"

  // MARK: Requests and responses

  @Test func `answers pipelined requests one after the other (9112, 9.3.2)`() throws {
    server.echoes = false
    try send("GET /1 HTTP/1.1\nHost: h\n\nGET /2 HTTP/1.1\nHost: h\n\n")
    #expect(server.asked.map(\.request.path) == ["/1"])
    server.asked[0].exchange.respond(.success(Response(.ok, body: ByteBuffer(string: "1"))))
    #expect(try written() == Self.ok + "1\n\n1")
    #expect(server.asked.map(\.request.path) == ["/1", "/2"])
  }

  // MARK: Clients that close their sending side

  private func closeInput() {
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    channel.embeddedEventLoop.run()
  }

  @Test func `answers what it received before a client closed its side (9112, 9.6)`() throws {
    server.echoes = false
    try send("GET /1 HTTP/1.1\nHost: h\n\nGET /2 HTTP/1.1\nHost: h\n\n")
    let isGone = Mutex(false)
    server.asked[0].exchange.onDisconnect { isGone.withLock { $0 = true } }
    closeInput()
    #expect(channel.isActive && !isGone.withLock { $0 })
    for number in 0..<2 {
      server.asked[number].exchange.respond(.success(Response(.ok, body: ByteBuffer(string: "\(number)"))))
      #expect(try written() == Self.ok + "1\n\n\(number)")
    }
    #expect(!channel.isActive)
  }

  @Test func `closes the connection of a client that closed its side between requests`() throws {
    try send("GET / HTTP/1.1\nHost: h\n\n")
    #expect(try written() == Self.ok + "0\n\n")
    closeInput()
    #expect(!channel.isActive)
  }

  @Test func `refuses a request that ends early`() throws {
    try send("POST / HTTP/1.1\nHost: h\nContent-Length: 8\n\n1234")
    closeInput()
    #expect(try problem().status == 400)
    #expect(server.asked.isEmpty)
  }

  @Test func `notices that a client is gone after it closed its side`() throws {
    server.echoes = false
    try send("GET /1 HTTP/1.1\nHost: h\n\n")
    let isGone = Mutex(false)
    server.asked[0].exchange.onDisconnect { isGone.withLock { $0 = true } }
    closeInput()
    try channel.close().wait()
    channel.embeddedEventLoop.run()
    #expect(isGone.withLock { $0 })
  }

  @Test func `answers a thousand pipelined requests without growing the stack`() throws {
    try send(String(repeating: "GET / HTTP/1.1\nHost: h\n\n", count: 1000))
    #expect(try written() == String(repeating: Self.ok + "0\n\n", count: 1000))
  }

  @Test func `answers a request when its body is complete (9112, 6)`() throws {
    try send("POST / HTTP/1.1\nHost: h\nContent-Length: 8\n\n1234")
    #expect(try written().isEmpty)
    try send("5678")
    #expect(try written() == Self.ok + "8\n\n12345678")
    try send("POST / HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n3\nabc\n3\ndef\n0\n\n")
    #expect(try written() == Self.ok + "6\n\nabcdef")
  }

  @Test(arguments: ["Content-Length: 9\n\n", "Transfer-Encoding: chunked\n\n9\n123456789"])
  func `refuses a body over the limit before it is complete (9110, 15.5.14)`(rest: String) throws {
    try send("POST / HTTP/1.1\nHost: h\n" + rest)
    #expect(try problem().status == 413)
    #expect(server.asked.isEmpty)
  }

  @Test func `does not handle a request with an incomplete body (9112, 8)`() throws {
    try send("POST / HTTP/1.1\nHost: h\nContent-Length: 8\n\n1234")
    try channel.close().wait()
    #expect(server.asked.isEmpty)
  }

  @Test func `sends 100 Continue to a client that waits for it (9110, 10.1.1)`() throws {
    try send("POST / HTTP/1.1\nHost: h\nExpect: 100-continue\nContent-Length: 2\n\n")
    #expect(try written() == "HTTP/1.1 100 Continue\n\n")
    try send("ok")
    #expect(try written() == Self.ok + "2\n\nok")
  }

  @Test func `sends no 100 Continue for a body over the limit (9110, 10.1.1)`() throws {
    try send("POST / HTTP/1.1\nHost: h\nExpect: 100-continue\nContent-Length: 9\n\n")
    #expect(try problem().status == 413)
  }

  @Test func `refuses other expectations (9110, 15.5.18)`() throws {
    try send("GET / HTTP/1.1\nHost: h\nExpect: the-best\n\n")
    #expect(try problem().status == 417)
  }

  @Test(arguments: ["", "Host: a\nHost: b\n"])
  func `refuses a request without exactly one Host (9112, 3.2)`(hosts: String) throws {
    try send("GET / HTTP/1.1\n\(hosts)\n")
    #expect(try problem().status == 400)
  }

  @Test(arguments: [
    ("http://h/a?b", "/a"), ("HTTP://h", "/"), ("http://h?b", "/"), ("/a?b", "/a"), ("*", "*"),
  ])
  func `accepts a path or an absolute URI as target (9112, 3.2)`(target: String, path: String) throws {
    try send("OPTIONS \(target) HTTP/1.1\nHost: h\n\n")
    #expect(server.asked.map(\.request.path) == [path])
  }

  @Test func `sends no body in response to HEAD (9110, 9.3.2)`() throws {
    server.echoes = false
    try send("HEAD / HTTP/1.1\nHost: h\n\n")
    server.asked[0].exchange.respond(.success(Response(.ok, body: ByteBuffer(string: "body"))))
    #expect(try written() == Self.ok + "4\n\n")
  }

  @Test(arguments: ["HTTP/1.1\nHost: h\nConnection: close", "HTTP/1.0", "HTTP/1.1\nHost: h\nUpgrade: h2c\nConnection: Upgrade"])
  func `closes after the last response (9112, 9.6)`(rest: String) throws {
    try send("GET / \(rest)\n\n")
    #expect(try written() == Self.last)
    #expect(!channel.isActive)
  }

  @Test(arguments: [
    ("NOT HTTP\n\n", 400), ("GET / HTTP/1.1\nHost: h\nContent-Length: 1\nTransfer-Encoding: chunked\n\n", 400),
    ("GET / HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\nx\n", 400),
    ("GET / HTTP/1.1\nHost: h\nX: \(String(repeating: "x", count: 1 << 18))\n\n", 431),
  ])
  func `answers malformed input once`(text: String, status: Int) throws {
    try send(text)
    #expect(try problem().status == status)
    #expect(server.asked.isEmpty)
  }

  @Test func `answers malformed input after an earlier request`() throws {
    server.echoes = false
    try send("GET / HTTP/1.1\nHost: h\n\nNOT HTTP\n\n")
    #expect(try written().isEmpty)
    server.asked[0].exchange.respond(.success(Response(.ok)))
    let text = try written()
    #expect(text.hasPrefix(Self.ok + "0\n\nHTTP/1.1 400 Bad Request\n"))
    #expect(!channel.isActive)
  }

  @Test func `reports errors as problems (9457)`() throws {
    server.echoes = false
    try send("GET / HTTP/1.1\nHost: h\n\n")
    server.asked[0].exchange.respond(.failure(RouterError(.full, "no room", retryAfter: .seconds(3))))
    let text = try written()
    #expect(text.hasPrefix("HTTP/1.1 429 Too Many Requests\n"))
    #expect(text.contains("\nRetry-After: 3\n") && text.contains("\nContent-Type: application/problem+json\n"))
  }

  // MARK: The end of the connection

  @Test func `notifies a waiting request when its client disconnects`() throws {
    server.echoes = false
    try send("GET / HTTP/1.1\nHost: h\n\n")
    let gone = Mutex(0)
    server.asked[0].exchange.onDisconnect { gone.withLock { $0 += 1 } }
    try channel.close().wait()
    #expect(gone.withLock(\.self) == 1)
    server.asked[0].exchange.onDisconnect { gone.withLock { $0 += 1 } }
    #expect(gone.withLock(\.self) == 2)
    // A late response has no effect.
    server.asked[0].exchange.respond(.success(Response(.ok)))
  }

  @Test func `reports a response as written only if its client has not disconnected`() throws {
    server.echoes = false
    let count = Mutex(0)
    let respond = { (exchange: Exchange) in
      exchange.respond(.success(Response(.ok))) { count.withLock { $0 += 1 } }
    }
    try send("GET / HTTP/1.1\nHost: h\n\n")
    respond(server.asked[0].exchange)
    #expect(count.withLock(\.self) == 0)
    #expect(try written() == Self.ok + "0\n\n")
    #expect(count.withLock(\.self) == 1)
    try send("GET / HTTP/1.1\nHost: h\n\n")
    respond(server.asked[1].exchange)
    try channel.close().wait()
    channel.embeddedEventLoop.run()
    #expect(count.withLock(\.self) == 1)
  }

  @Test func `closes a connection after its pending response when the daemon stops`() throws {
    server.echoes = false
    try send("GET / HTTP/1.1\nHost: h\n\n")
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(channel.isActive)
    server.asked[0].exchange.respond(.success(Response(.ok)))
    #expect(try written() == Self.last)
    #expect(!channel.isActive)
  }

  @Test func `closes an idle connection when the daemon stops`() throws {
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(!channel.isActive)
  }

  // MARK: Server-sent events

  @Test(arguments: [true, false])
  func `streams events in chunks, or until the connection ends for HTTP/1.0 (9112, 7.1)`(isHTTP11: Bool) throws {
    server.echoes = false
    try send("GET / HTTP/1.\(isHTTP11 ? "1\nHost: h" : "0")\n\n")
    let exchange = server.asked[0].exchange
    exchange.openStream()
    let head = try written()
    #expect(head.contains("\nTransfer-Encoding: chunked\n") == isHTTP11)
    #expect(head.hasSuffix(isHTTP11 ? "4\n: \n\n\n" : "\n\n: \n\n"))
    exchange.send(Array("data: 1\n\n".utf8))
    exchange.send(Array("data: 2\n\n".utf8))
    #expect(try written() == (isHTTP11 ? "9\ndata: 1\n\n\n9\ndata: 2\n\n\n" : "data: 1\n\ndata: 2\n\n"))
    exchange.closeStream()
    #expect(try written() == (isHTTP11 ? "0\n\n" : ""))
    #expect(channel.isActive == isHTTP11)
  }

  @Test func `keeps a quiet stream alive`() throws {
    server.echoes = false
    try send("GET / HTTP/1.1\nHost: h\n\n")
    server.asked[0].exchange.openStream()
    _ = try written()
    advance(15)
    #expect(try written().contains(": keep-alive"))
    advance(15)
    #expect(try written().contains(": keep-alive"))
    server.asked[0].exchange.closeStream()
    _ = try written()
    advance(9)
    #expect(try written().isEmpty)
  }

  @Test func `disconnects a client with too much unread data, but sends one large event`() throws {
    server.echoes = false
    try send("GET / HTTP/1.1\nHost: h\n\n")
    let exchange = server.asked[0].exchange
    exchange.send([UInt8](repeating: 0x20, count: 5000))
    exchange.send([0x20])
    #expect(try written().isEmpty)
    #expect(!channel.isActive)
  }

  // MARK: Slow clients

  @Test func `closes an idle connection silently after its time limit`() throws {
    advance(9)
    #expect(channel.isActive)
    advance(1)
    #expect(try written().isEmpty)
    #expect(!channel.isActive)
  }

  @Test func `limits the time for head and body separately (9110, 15.5.9)`() throws {
    advance(9)
    try send("POST / HTTP/1.1\nHost: h\nContent-Length: 8\n\n")
    advance(9)
    try send("1")
    #expect(channel.isActive)
    advance(1)
    let problem = try problem()
    #expect(problem.status == 408)
    #expect(problem.detail == "cannot take the request: its body did not arrive within 10 s")
  }

  @Test func `does not limit the time of a response, and limits that of the next request`() throws {
    server.echoes = false
    try send("GET / HTTP/1.1\nHost: h\n\n")
    advance(1_000_000)
    #expect(channel.isActive)
    server.asked[0].exchange.respond(.success(Response(.ok)))
    #expect(try written() == Self.ok + "0\n\n")
    advance(9)
    #expect(channel.isActive)
    advance(1)
    #expect(!channel.isActive)
  }
}
