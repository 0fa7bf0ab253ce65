import FoundationEssentials
public import Router

/// The daemon as a ``PresentationBroker``, and typed calls of its API.
///
/// Each call is a connection; canceling the waiting task closes it. Calls throw ``RouterError`` with the daemon's reason or
/// the code `unreachable`, and `CancellationError`. When the daemon goes away, the client repeats what can be repeated, for as
/// long as ``ReconnectPolicy`` says: requests have keys, so that each is asked once.
public struct RouterClient: Sendable {
  /// The path of the daemon's socket.
  public let socketPath: String
  /// The name that requests go by unless they have one of their own; without it, the daemon takes the executable's.
  public let app: String?
  /// What is done when the daemon goes away.
  public let reconnect: ReconnectPolicy

  let clock: PresentationClock
  let watch: DaemonWatch
  /// Sends requests one by one: each call is a connection of its own, and only this keeps two in order.
  let requests = SerialRunner()
  /// Runs dismiss callbacks in the order in which this client learns that their presentations have ended.
  let callbacks = SerialRunner()

  /// - Parameter daemonChanged: Told when something begins to wait for the daemon, and when it is back. It must return at once.
  public init(
    socketPath: String = RouterClient.defaultSocketPath(), app: String? = nil, reconnect: ReconnectPolicy = ReconnectPolicy(),
    clock: PresentationClock = .system, daemonChanged: @escaping @Sendable (DaemonChange) -> Void = { _ in }
  ) {
    self.socketPath = socketPath
    self.app = app
    self.reconnect = reconnect
    self.clock = clock
    watch = DaemonWatch(daemonChanged)
  }

  var http: UnixSocketHTTP { UnixSocketHTTP(path: socketPath, clock: clock) }

  func asking(_ request: PresentationRequest, prefer: String? = nil, key: String?) -> HTTPCall {
    var request = request
    request.app = request.app ?? app
    var headers: HeaderFields = [:]
    if let prefer { headers.add(name: "Prefer", value: prefer) }
    if let key { headers.add(name: "Idempotency-Key", value: key) }
    return HTTPCall(.POST, APIPath.presentations, headers: headers, json: request.jsonText)
  }

  /// The idempotency key: the caller's, else a new one. A flow has none unless it was given one, since it ends with its daemon.
  func key(_ given: String?, for request: PresentationRequest) -> String? {
    given ?? (reconnect.isNever || request.flow ? nil : UUID().uuidString)
  }
}
