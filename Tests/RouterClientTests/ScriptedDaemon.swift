import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix
import Router
import RouterClient

/// A daemon played by a test, which receives each call and scripts its reply.
final class ScriptedDaemon: Sendable {
  let path: String
  private let calls: AsyncStream<ScriptedCall>
  private let continuation: AsyncStream<ScriptedCall>.Continuation
  /// The listening channel, or `nil` while the daemon is down.
  private let listener: Mutex<(any Channel)?> = Mutex(nil)

  private init(path: String) {
    self.path = path
    (calls, continuation) = AsyncStream.makeStream()
  }

  /// Runs `body` with a daemon on a temporary socket and a client that does not reconnect.
  static func run(_ body: (ScriptedDaemon, RouterClient) async throws -> Void) async throws {
    try await run { daemon in try await body(daemon, daemon.client(reconnect: .never)) }
  }

  /// Runs `body` with a daemon on a temporary socket.
  static func run(_ body: (ScriptedDaemon) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(component: "router-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let daemon = ScriptedDaemon(path: directory.appending(component: "d.sock").path)
    try await daemon.listen()
    do {
      try await body(daemon)
    } catch {
      try? await daemon.stopListening()
      throw error
    }
    try await daemon.stopListening()
  }

  /// A client of this daemon.
  func client(
    reconnect: ReconnectPolicy, clock: PresentationClock = .system,
    daemonChanged: @escaping @Sendable (DaemonChange) -> Void = { _ in }
  ) -> RouterClient {
    RouterClient(socketPath: path, app: "tests", reconnect: reconnect, clock: clock, daemonChanged: daemonChanged)
  }

  /// Starts listening, like a started daemon.
  func listen() async throws {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { [continuation] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(CallCollector(continuation))
        }
      }
      .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
    listener.withLock { $0 = channel }
  }

  /// Stops accepting connections. Existing ones stay open.
  func stopListening() async throws {
    let channel = listener.withLock { listener in
      defer { listener = nil }
      return listener
    }
    try await channel?.close().get()
  }

  /// Waits for the next call.
  func nextCall() async throws -> ScriptedCall {
    for await call in calls { return call }
    throw CancellationError()
  }
}

/// A call that the test replies to.
struct ScriptedCall: Sendable {
  let head: HTTPRequestHead
  let body: [UInt8]
  private let channel: any Channel

  init(head: HTTPRequestHead, body: [UInt8], channel: any Channel) {
    self.head = head
    self.body = body
    self.channel = channel
  }

  /// The request line, such as `GET /v1/status`.
  var line: String { "\(head.method) \(head.uri)" }
  var json: JSONValue? { try? JSONValue(parsing: body) }

  /// Sends a complete reply.
  func reply(
    _ status: HTTPResponseStatus = .ok, _ json: JSONValue, type: String = "application/json", headers: HTTPHeaders = [:]
  ) async throws {
    try await start(status, type: type, headers: headers)
    try await write(json.bytes)
    try await end()
  }

  /// Starts a reply that continues as an event stream.
  func start(_ status: HTTPResponseStatus = .ok, type: String = ServerSentEvent.contentType, headers: HTTPHeaders = [:])
    async throws
  {
    var head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    head.headers.add(name: "Content-Type", value: type)
    try await channel.writeAndFlush(HTTPServerResponsePart.head(head))
  }

  func event(_ name: String, _ data: JSONValue) async throws {
    try await write(ServerSentEvent(name: name, data: data).bytes)
  }

  func write(_ bytes: [UInt8]) async throws {
    try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))))
  }

  func end() async throws {
    try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
  }

  /// Cuts the connection, like a killed daemon.
  func cut() async throws {
    try await channel.close()
  }

  /// Waits until the client has closed the connection.
  func untilClosed() async throws {
    try await channel.closeFuture.get()
  }
}

/// Passes on each complete call.
private final class CallCollector: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart

  private let calls: AsyncStream<ScriptedCall>.Continuation
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []

  init(_ calls: AsyncStream<ScriptedCall>.Continuation) {
    self.calls = calls
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body(let buffer): body += buffer.readableBytesView
    case .end:
      guard let head else { return }
      calls.yield(ScriptedCall(head: head, body: body, channel: context.channel))
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
