import Logging
import Router
import ServiceLifecycle

/// Takes out of the file what was pruned, at the start and every hour, and prunes before that where the configuration says so. It
/// also has written what the log is queried by and is not yet.
struct RetentionService: Service {
  let log: AuditLog
  let configuration: LiveConfiguration
  let logger: Logger
  let clock: PresentationClock

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await tidy()
        do {
          try await clock.sleep(for: .seconds(3600))
        } catch {
          return
        }
      }
    }
  }

  /// Prunes what is older than the setting, and sweeps. What fails is tried again an hour later.
  private func tidy() async {
    do {
      let days = configuration.current.retentionDays
      if days > 0 {
        let now = clock.wall()
        let pruning = try await log.prune(before: now.advanced(by: .seconds(-days * 86_400)), at: now)
        if pruning.events > 0 { logger.notice("pruned the log", metadata: ["events": "\(pruning.events)"]) }
        if let keeper = pruning.keeper {
          logger.notice("a presentation keeps the log from being pruned further", metadata: ["presentation": "\(keeper.id)"])
        }
      }
      try await log.sweep()
      try await log.index()
    } catch is CancellationError {
    } catch {
      logger.warning("cannot tidy the log", metadata: ["error": "\(error)"])
    }
  }
}
