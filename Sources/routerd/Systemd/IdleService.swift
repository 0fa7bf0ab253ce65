import Glibc
import Logging
import Router

/// Ends the daemon once it has not been used for the time of the setting `idleSeconds`. A service manager's socket or the next
/// program that asks starts it again.
struct IdleService: Service {
  let gates: [ConnectionGate]
  let coordinators: Coordinators
  let configuration: LiveConfiguration
  let logger: Logger

  func run(until stop: StopSignal) async {
    await stop.runUntilSent {
      var (lastCount, since) = (0, PresentationClock.system.now())
      while !Task.isCancelled {
        let limit = Duration.seconds(configuration.current.idleSeconds)
        let (count, isUsed) = await use()
        if isUsed || count != lastCount || limit == .zero { (lastCount, since) = (count, PresentationClock.system.now()) }
        var left = limit - (PresentationClock.system.now() - since)
        if limit > .zero, left <= .zero {
          logger.notice("idle, ending")
          kill(getpid(), SIGTERM)
          (since, left) = (PresentationClock.system.now(), limit)
        }
        try? await PresentationClock.system.sleep(for: limit == .zero ? .seconds(10) : min(left, .seconds(10)))
      }
    }
  }

  /// How often somebody connected, and whether there is something to wait for.
  private func use() async -> (count: Int, isUsed: Bool) {
    var isUsed = gates.contains { $0.use.isOpen }
    for keeper in coordinators.all where !isUsed { isUsed = await !keeper.coordinator.isIdle }
    return (gates.reduce(0) { $0 + $1.use.count }, isUsed)
  }
}
