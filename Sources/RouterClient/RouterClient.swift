import FoundationEssentials
public import Router

/// The daemon as a ``PresentationBroker``, and typed calls of its API.
///
/// Each call is a connection to the daemon's socket; canceling the waiting task closes it. Calls throw ``RouterError`` with the
/// daemon's reason or the code `unreachable`, and `CancellationError` if the task is canceled.
///
/// When the daemon goes away, the client waits and repeats what can be repeated: requests have keys, so that each is asked
/// once. ``ReconnectPolicy`` sets how long.
public struct RouterClient: Sendable {
  /// The path of the daemon's socket.
  public let socketPath: String
  /// The name that requests go by unless they have one of their own; without it, the daemon takes the executable's.
  public let app: String?
  /// What is done when the daemon goes away.
  public let reconnect: ReconnectPolicy

  let clock: PresentationClock
  let watch: DaemonWatch
  /// Sends requests one after the other, each when the one before is accepted or refused: two calls in a row reach the daemon
  /// on two connections, and only this keeps their order.
  let requests = SerialRunner()
  /// Runs dismiss callbacks in the order in which this client learns that their presentations have ended.
  let callbacks = SerialRunner()

  /// - Parameters:
  ///   - reconnect: How long a daemon that went away is waited for.
  ///   - clock: What the waiting goes by.
  ///   - daemonChanged: Told when something begins to wait for the daemon, and when it is back. It must return at once.
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

  /// The call that asks.
  func asking(_ request: PresentationRequest, prefer: String? = nil, key: String?) -> HTTPCall {
    var request = request
    request.app = request.app ?? app
    var headers: HeaderFields = [:]
    if let prefer { headers.add(name: "Prefer", value: prefer) }
    if let key { headers.add(name: "Idempotency-Key", value: key) }
    return HTTPCall(.POST, APIPath.presentations, headers: headers, json: request.jsonText)
  }

  /// The key that makes asking again safe: the caller's, or one that nobody else has. A flow has none unless it was given
  /// one: it does not outlive its daemon.
  func key(_ given: String?, for request: PresentationRequest) -> String? {
    given ?? (reconnect.isNever || request.flow ? nil : UUID().uuidString)
  }
}
