import Logging
import Router

/// Applies the configured retention at the start and every hour: ends unused remembered answers, prunes this machine's log and
/// the logs of shared surfaces that it leads, and removes pruned rows from the files.
struct RetentionService: Service {
  let coordinators: Coordinators
  let configuration: LiveConfiguration
  let names: UserNames
  let logger: Logger
  let clock: PresentationClock

  func run(until stop: StopSignal) async {
    await stop.runUntilSent {
      while !Task.isCancelled {
        // Before the pruning, which removes uses.
        await tidyGrants()
        await tidy(coordinators.local)
        await tidyShared()
        do {
          try await clock.sleep(for: .seconds(3600))
        } catch {
          return
        }
      }
    }
  }

  func tidyShared() async {
    for (_, keeper) in coordinators.shared where await keeper.coordinator.isLeading { await tidy(keeper) }
  }

  /// Prunes events older than the retention, and sweeps. A failure is retried an hour later.
  private func tidy(_ keeper: Coordinators.Keeper) async {
    do {
      let days = configuration.current.retentionDays
      if days > 0 {
        let now = clock.wall()
        let pruning = try await keeper.log.prune(before: now.advanced(by: .seconds(-days * 86_400)), at: now)
        if pruning.events > 0 { logger.notice("pruned the log", metadata: ["events": "\(pruning.events)"]) }
      }
      try await keeper.log.removePruned()
    } catch is CancellationError {
    } catch {
      logger.warning("cannot prune the log", metadata: ["error": "\(error)"])
    }
  }
}
