import FoundationEssentials
import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import Router
import RouterClient
import ServiceLifecycle
import UnixSignals

/// The daemon: one coordinator on one log, behind one socket.
struct Daemon {
  static let version = "0.1.0"

  let configuration: DaemonConfiguration
  /// Reads the configuration again as it was read at the start.
  let reload: @Sendable () throws -> DaemonConfiguration
  private let live: LiveConfiguration
  private let logger: Logger

  init(_ configuration: DaemonConfiguration, reload: @escaping @Sendable () throws -> DaemonConfiguration) {
    self.configuration = configuration
    self.reload = reload
    let live = LiveConfiguration(configuration)
    self.live = live
    LoggingSystem.bootstrap { LiveLogHandler(label: $0, configuration: live) }
    logger = Logger(label: "routerd")
  }

  /// Serves until SIGTERM or SIGINT.
  ///
  /// - Throws: ``RouterError`` if it cannot start, or if the shutdown took too long.
  func run() async throws {
    let inherited = try InheritedSocket.take()
    let manager = ServiceManager.current(logger: logger)
    let gate = ConnectionGate(descriptors: DescriptorLimit.raise())
    try makeDatabaseDirectory()
    let log = try AuditLog(path: configuration.database, durability: configuration.durability)
    let socket =
      try inherited.map(ListeningSocket.init(inherited:))
      ?? ListeningSocket(path: configuration.socket, mode: configuration.socketMode, group: configuration.socketGroup)
    let coordinator = try await PresentationCoordinator(
      log: log, limits: configuration.limits, grace: .seconds(configuration.graceSeconds),
      callbackSender: CallbackClient(
        timeout: .seconds(configuration.callbackTimeoutSeconds), callsAnybody: configuration.callsAnyUser),
      callbacks: configuration.callbacks, backoff: configuration.backoff, app: "routerd", logger: logger)
    let table = RouteTable(coordinator: coordinator, reader: try AuditReader(log), configuration: live)
    let status = "Listening on \(socket.path)"
    let listener = ListenerService(
      socket: socket, channel: PeerChannel(responder: respond(with: table.responder()), gate: gate, configuration: live),
      coordinator: coordinator, logger: logger, ready: { manager.ready(status) }, stopping: manager.stopping)
    let reloading = ReloadService(
      hangUps: HangUpSignal.stream(), configuration: live, gate: gate, manager: manager, logger: logger,
      status: status, load: reload)
    let watchdog = WatchdogService(
      microseconds: getenv("WATCHDOG_USEC").map { String(cString: $0) },
      process: getenv("WATCHDOG_PID").map { String(cString: $0) }, coordinator: coordinator, tell: manager.alive)
    var services = ServiceGroupConfiguration(
      services: [listener, reloading] + (watchdog.map { [$0] } ?? []), gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger)
    services.maximumGracefulShutdownDuration = .seconds(configuration.shutdownSeconds)
    try await ServiceGroup(configuration: services).run()
    logger.notice("stopped")
  }

  private func respond(with responder: some HTTPResponder<PeerContext>) -> HTTPChannelHandler.Responder {
    { [logger] request, writer, channel in
      var logger = logger
      logger[metadataKey: "hb.request.id"] = "\(RequestID())"
      let context = PeerContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
      var response = try await responder.respond(to: request, context: context)
      response.headers[.date] = HTTPDate.now
      let mustClose = response.headers[.connection] == "close"
      try await writer.write(response: response.head, body: response.body)
      if mustClose { throw ConnectionIsOver() }
    }
  }

  /// Ends a connection after its response; Hummingbird closes a channel whose responder throws.
  private struct ConnectionIsOver: Error {}

  private func makeDatabaseDirectory() throws {
    let directory = URL(filePath: configuration.database).deletingLastPathComponent().path
    guard Self.makeDirectory(directory) else {
      throw RouterError(.database, "cannot make the directory \(directory): \(String(cString: strerror(errno)))")
    }
  }

  /// Makes a directory and those above it that are not there (mode 0700); false with `errno` if it cannot.
  private static func makeDirectory(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    let parent = URL(filePath: path).deletingLastPathComponent().path
    guard errno == ENOENT, parent != path, makeDirectory(parent) else { return false }
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }
}
