import FoundationEssentials
import Glibc
import Router
import RouterTesting
import Testing

@testable import RouterClient

/// Calls to a listener that is slow, silent or hostile.
/// Promises P80, P82.
@Suite(.timeLimit(.minutes(10)))
struct SilentListenerTests {
  private let path: String
  private let descriptor: CInt

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(component: "router-\(UUID().uuidString.prefix(8))").path
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let code = try UnixSocketAddress(path: path).withPointer { bind(descriptor, $0, $1) }
    try #require(code == 0 && listen(descriptor, 8) == 0)
  }

  private func end() {
    close(descriptor)
    unlink(path)
  }

  /// Accepts the next connection without blocking the thread, which the client may need.
  private func accepted() async throws -> CInt {
    try await SocketReadiness.shared.wait(for: descriptor, .reading)
    let connection = accept(descriptor, nil, nil)
    try #require(connection >= 0)
    return connection
  }

  @Test func `canceling the task ends a call that the listener does not read`() async throws {
    defer { end() }
    let http = UnixSocketHTTP(path: path)
    // More than the kernel buffers, and less.
    for size in [16 << 20, 1] {
      let calling = Task { try await http.reply(to: HTTPCall(.POST, "/", body: [UInt8](repeating: 0, count: size))) }
      let connection = try await accepted()
      calling.cancel()
      await #expect(throws: CancellationError.self) { try await calling.value }
      close(connection)
    }
  }

  @Test func `reports a lost connection if the listener closes it without a reply`() async throws {
    defer { end() }
    let http = UnixSocketHTTP(path: path)
    let calling = Task { try await http.reply(to: HTTPCall(.POST, "/", body: [UInt8](repeating: 0, count: 16 << 20))) }
    close(try await accepted())
    let error = await #expect(throws: RouterError.self) { try await calling.value }
    #expect(error?.code == .unreachable)
  }

  @Test func `takes a listener that falls silent for lost, before and after it begins a stream`() async throws {
    defer { end() }
    var http = UnixSocketHTTP(path: path)
    http.maximumSilence = .milliseconds(1)
    for head in ["", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: keep-alive\n\n"] {
      let calling = Task { [http] in try await http.attemptEvents(of: HTTPCall(.GET, "/")) { _ in } }
      let connection = try await accepted()
      #expect(Array(head.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) } == head.utf8.count)
      let failure = await #expect(throws: Reconnection.Failure.self) { try await calling.value }
      if case .lost? = failure {} else { Issue.record("\(String(describing: failure))") }
      close(connection)
    }
  }

  @Test func `accepts a reply sent before the call was read`() async throws {
    defer { end() }
    let http = UnixSocketHTTP(path: path)
    let calling = Task { try await http.reply(to: HTTPCall(.POST, "/", body: [UInt8](repeating: 0, count: 16 << 20))) }
    let connection = try await accepted()
    let reply = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n"
    #expect(send(connection, reply, reply.utf8.count, CInt(MSG_NOSIGNAL)) == reply.utf8.count)
    shutdown(connection, CInt(SHUT_RD))
    #expect(try await calling.value.status == 413)
    close(connection)
  }

  @Test func `rejects line breaks in paths and headers`() async throws {
    defer { end() }
    let http = UnixSocketHTTP(path: path)
    for call in [
      HTTPCall(.GET, "/ HTTP/1.1\r\nX: y"), HTTPCall(.GET, "/", headers: ["Idempotency-Key": "a\r\nPrefer: wait=0"]),
    ] {
      let error = await #expect(throws: RouterError.self) { try await http.reply(to: call) }
      #expect(error?.code == .invalid)
    }
  }

  /// Connects until the backlog is full.
  private func fillBacklog() throws -> [CInt] {
    try #require(listen(descriptor, 0) == 0)
    var connections: [CInt] = []
    repeat {
      let connection = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
      connections.append(connection)
    } while try UnixSocketAddress(path: path).withPointer { connect(connections[connections.count - 1], $0, $1) } == 0
    try #require(errno == EAGAIN)
    return connections
  }

  /// Advances a clock once a task sleeps.
  private func advance(_ clock: ManualClock, by time: Duration) async throws {
    try await clock.untilSleeping()
    clock.advance(by: time)
  }

  @Test func `waits while the listener's backlog is full`() async throws {
    defer { end() }
    let others = try fillBacklog()
    defer { for connection in others { close(connection) } }
    let clock = ManualClock()
    let http = UnixSocketHTTP(path: path, clock: clock.clock)
    let calling = Task { try await http.reply(to: HTTPCall(.GET, "/")) }
    while clock.elapsed < .seconds(20) { try await advance(clock, by: .milliseconds(100)) }
    // Wait for the sleeper: an attempt after the backlog has room would succeed at once.
    try await clock.untilSleeping()
    for _ in others.dropLast() { close(try await accepted()) }
    try await advance(clock, by: .milliseconds(100))
    let connection = try await accepted()
    let reply = "HTTP/1.1 204 No Content\r\n\r\n"
    #expect(send(connection, reply, reply.utf8.count, CInt(MSG_NOSIGNAL)) == reply.utf8.count)
    #expect(try await calling.value.status == 204)
    close(connection)
  }

  @Test func `gives up on a listener that never accepts`() async throws {
    defer { end() }
    let others = try fillBacklog()
    defer { for connection in others { close(connection) } }
    let clock = ManualClock()
    let http = UnixSocketHTTP(path: path, clock: clock.clock)
    let calling = Task { try await http.reply(to: HTTPCall(.GET, "/")) }
    try await advance(clock, by: UnixSocketHTTP.connectTime)
    let error = await #expect(throws: RouterError.self) { try await calling.value }
    #expect(error?.message.contains("has not accepted a connection for 30 seconds") == true)
  }

  @Test(arguments: [
    ("", "HTTP/1.1 100 Continue\r\n\r\n"), ("", "\r\n"), ("HTTP/1.1 200 OK\r\nX: ", "x"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0;", "x"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"), ("HTTP/1.1 200 OK\r\n\r\n", "x"),
  ])
  func `gives up on an endless reply of a callback's listener`(start: String, repeated: String) async throws {
    defer { end() }
    let address = try PresentationRequest.CallbackAddress("http+unix://" + path.replacing("/", with: "%2F") + "/")
    let calling = Task {
      try await CallbackClient(timeout: .seconds(600), callsAnybody: true).send(.sample(outcome: .dismissed), to: address)
    }
    let connection = try await accepted()
    // Blocks while the client does not read, and ends when the client closes its side.
    try Thread.start {
      let more = Array(String(repeating: repeated, count: 1000).utf8)
      send(connection, start, start.utf8.count, CInt(MSG_NOSIGNAL))
      while send(connection, more, more.count, CInt(MSG_NOSIGNAL)) >= 0 {}
      close(connection)
    }
    let error = await #expect(throws: RouterError.self) { try await calling.value }
    #expect(error?.message.hasPrefix("cannot understand the reply of the callback's listener") == true)
  }
}
