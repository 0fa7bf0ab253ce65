import Logging
import Router

/// Reloads the configuration on SIGHUP. An invalid configuration is reported and changes nothing.
struct ReloadService: Service {
  let hangUps: AsyncStream<Void>
  let configuration: LiveConfiguration
  let gate: ConnectionGate
  /// The page's connections. A reload closes all of them, since their roles may have changed; the page reconnects.
  let pageGate: ConnectionGate
  let manager: ServiceManager
  let logger: Logger
  /// The status text of a running daemon.
  let status: String
  /// Reads the configuration from the same sources as at the start.
  let load: @Sendable () async throws -> DaemonConfiguration
  /// Applies the new rule against self-answers to open prompts, and the new lists of approvers.
  let apply: @Sendable (SelfAnswerRule, Approvers) -> Void
  /// Reads the rules file again.
  let finish: @Sendable () async throws -> Void

  func run(until stop: StopSignal) async {
    await stop.runUntilSent {
      for await _ in hangUps {
        manager.reloading()
        manager.ready(await reload())
      }
    }
  }

  private func reload() async -> String {
    let new: DaemonConfiguration
    do {
      new = try await load()
    } catch is CancellationError {
      return status
    } catch {
      logger.error("cannot reload the configuration; the previous one stays in effect", metadata: ["error": "\(error)"])
      return "\(status); the configuration was not reloaded: \(error)"
    }
    let waiting = configuration.reload(new).joined(separator: ", ")
    apply(configuration.current.forbidSelfAnswer, Approvers(configuration.current))
    var status = status
    do {
      try await finish()
    } catch {
      logger.error("cannot reload the rules; the previous ones stay in force", metadata: ["error": "\(error)"])
      status += "; \(error)"
    }
    let closed = gate.closeDemoted(configuration.roles) + pageGate.closeAll()
    logger.notice("reloaded the configuration", metadata: ["closed": "\(closed)"])
    guard !waiting.isEmpty else { return status }
    logger.warning("changed settings need a restart", metadata: ["settings": "\(waiting)"])
    return "\(status); restart to apply: \(waiting)"
  }
}
