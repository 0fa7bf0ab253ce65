import Logging
import Router
import ServiceLifecycle

/// Applies the configured retention, at the start and every hour: prunes the log, and removes pruned rows from the
/// file.
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

  /// Prunes events older than the retention, and sweeps. A failure is retried an hour later.
  private func tidy() async {
    do {
      let days = configuration.current.retentionDays
      if days > 0 {
        let now = clock.wall()
        let pruning = try await log.prune(before: now.advanced(by: .seconds(-days * 86_400)), at: now)
        if pruning.events > 0 { logger.notice("pruned the log", metadata: ["events": "\(pruning.events)"]) }
      }
      try await log.sweep()
    } catch is CancellationError {
    } catch {
      logger.warning("cannot prune the log", metadata: ["error": "\(error)"])
    }
  }
}
