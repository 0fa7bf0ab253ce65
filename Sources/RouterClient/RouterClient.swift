import FoundationEssentials
package import Router

/// A client of the daemon: a ``PresentationBroker`` with typed calls of the API.
///
/// Each call opens a connection; canceling the waiting task closes it. Calls throw ``RouterError`` with the daemon's reason or
/// the code `unreachable`, and `CancellationError`. If the daemon goes away, the client retries safe calls according to its
/// ``ReconnectPolicy``. Requests have idempotency keys, so that the person sees each of them once.
public struct RouterClient: Sendable {
  /// The path of the daemon's socket.
  public let socketPath: String
  /// The application name for requests without one; `nil` to let the daemon use the executable's name.
  public let app: String?
  /// The reconnect policy.
  public let reconnect: ReconnectPolicy

  /// The users that the daemon may run as; `nil` for any.
  private let listeners: Set<UInt32>?
  let clock: PresentationClock
  let watch: DaemonWatch
  /// Sends attached requests one at a time. Each has its own connection, which would not preserve their order.
  let requests = SerialRunner()
  /// Runs dismiss callbacks in the order in which this client receives the outcomes.
  let callbacks = SerialRunner()

  /// - Parameter daemonChanged: Called when calls begin to wait for the daemon, and when it is back. Must return immediately.
  public init(
    socketPath: String = RouterClient.defaultSocketPath(), app: String? = nil, reconnect: ReconnectPolicy = ReconnectPolicy(),
    daemonChanged: @escaping @Sendable (DaemonChange) -> Void = { _ in }
  ) {
    self.init(socketPath: socketPath, app: app, reconnect: reconnect, clock: .system, daemonChanged: daemonChanged)
  }

  package init(
    socketPath: String = RouterClient.defaultSocketPath(), app: String? = nil, reconnect: ReconnectPolicy = ReconnectPolicy(),
    clock: PresentationClock, listeners: Set<UInt32>? = nil,
    daemonChanged: @escaping @Sendable (DaemonChange) -> Void = { _ in }
  ) {
    self.socketPath = socketPath
    self.app = app
    self.reconnect = reconnect
    self.clock = clock
    self.listeners = listeners
    watch = DaemonWatch(daemonChanged)
  }

  var http: UnixSocketHTTP {
    var http = UnixSocketHTTP(path: socketPath, clock: clock)
    http.peerUIDs = listeners
    return http
  }

  func asking(_ request: PresentationRequest, prefer: String? = nil, key: String?) -> HTTPCall {
    var request = request
    request.app = request.app ?? app
    var headers: HeaderFields = [:]
    if let prefer { headers.add(name: "Prefer", value: prefer) }
    if let key { headers.add(name: "Idempotency-Key", value: key) }
    return HTTPCall(.POST, APIPath.presentations, headers: headers, json: request.jsonText)
  }

  /// Returns the given idempotency key, or a new one. A flow gets no new key, since it ends with its daemon.
  func key(_ given: String?, for request: PresentationRequest) -> String? {
    given ?? (reconnect.isNever || request.flow ? nil : UUID().uuidString)
  }
}
