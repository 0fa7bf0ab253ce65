import Logging
import Router
import ServiceLifecycle

/// Reads the configuration again at each SIGHUP. A mistake in it leaves everything as it was, and is told.
struct ReloadService: Service {
  let hangUps: AsyncStream<Void>
  let configuration: LiveConfiguration
  let gate: ConnectionGate
  /// The page's connections: which of them may do less now is not known, so they all end, and the page comes back.
  let pageGate: ConnectionGate
  let manager: ServiceManager
  let logger: Logger
  /// What the daemon says of itself when all is well.
  let status: String
  /// Reads the configuration as at the start.
  let load: @Sendable () throws -> DaemonConfiguration

  func run() async {
    for await _ in hangUps.cancelOnGracefulShutdown() {
      manager.reloading()
      manager.ready(reload())
    }
  }

  private func reload() -> String {
    let new: DaemonConfiguration
    do {
      new = try load()
    } catch {
      logger.error("cannot reload the configuration; everything stays as it was", metadata: ["error": "\(error)"])
      return "\(status); the configuration was not reloaded: \(error)"
    }
    let waiting = configuration.reload(new).joined(separator: ", ")
    let closed = gate.closeDemoted(configuration.roles) + pageGate.closeAll()
    logger.notice("reloaded the configuration", metadata: ["closed": "\(closed)"])
    guard !waiting.isEmpty else { return status }
    logger.warning("settings have changed that need a restart", metadata: ["settings": "\(waiting)"])
    return "\(status); changed and not taken over without a restart: \(waiting)"
  }
}
