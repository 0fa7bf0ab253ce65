import Router
import ServiceLifecycle

/// Runs a group of services until SIGTERM or SIGINT. ServiceLifecycle's own handling of signals and timeouts uses
/// libdispatch, which cannot stop the daemon while no thread can start.
struct ServiceRun: Sendable {
  let group: ServiceGroup
  let terminations: AsyncStream<Void>
  /// How long the services may take to shut down before they are canceled.
  let shutdownTime: Duration

  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      tasks.addTask {
        for await _ in terminations { break }
        guard !Task.isCancelled else { return }
        await group.triggerGracefulShutdown()
        try? await PresentationClock.system.sleep(for: shutdownTime)
      }
      // Whichever ends first: the services, or their time.
      try await tasks.next()
      tasks.cancelAll()
      try await tasks.waitForAll()
    }
  }
}
