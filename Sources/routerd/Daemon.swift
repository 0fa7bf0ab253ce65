import FoundationEssentials
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
  let logger: Logger

  init(_ configuration: DaemonConfiguration) {
    self.configuration = configuration
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "routerd")
    logger.logLevel = configuration.logLevel
    self.logger = logger
  }

  /// Serves until SIGTERM or SIGINT.
  ///
  /// - Throws: ``RouterError`` if it cannot start, or if the shutdown took too long.
  func run() async throws {
    DescriptorLimit.raise()
    try makeDatabaseDirectory()
    let log = try AuditLog(path: configuration.database, durability: configuration.durability)
    let socket = try ListeningSocket(path: configuration.socket)
    let coordinator = try await PresentationCoordinator(
      log: log, limits: configuration.limits, grace: .seconds(configuration.graceSeconds),
      callbackSender: CallbackClient(
        timeout: .seconds(configuration.callbackTimeoutSeconds), callsAnybody: configuration.callsAnyUser),
      callbacks: configuration.callbacks, backoff: configuration.backoff, app: "routerd", logger: logger)
    let table = RouteTable(coordinator: coordinator, reader: try AuditReader(log), configuration: configuration)
    let responder = table.responder(coordinator, bodyBytes: configuration.bodyBytes)
    let listener = ListenerService(
      socket: socket, channel: PeerChannel(http: channel(responder)), coordinator: coordinator, logger: logger)
    var services = ServiceGroupConfiguration(
      services: [listener], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    services.maximumGracefulShutdownDuration = .seconds(configuration.shutdownSeconds)
    try await ServiceGroup(configuration: services).run()
    logger.notice("stopped")
  }

  private func channel(_ responder: some HTTPResponder<PeerContext>) -> HTTP1Channel {
    HTTP1Channel { [logger] request, writer, channel in
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
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw RouterError(.database, "cannot make the directory \(directory)", cause: error)
    }
  }
}
