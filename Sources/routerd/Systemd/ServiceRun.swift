import Router

/// A part of the daemon that runs until it is stopped.
protocol Service: Sendable {
  /// Ends once `stop` is sent, or immediately if the task is canceled.
  func run(until stop: StopSignal) async throws
}

/// Runs services until SIGTERM or SIGINT, and then stops them in reverse order: each ends before the next is stopped. Avoids
/// libdispatch, which could not stop the daemon when no thread can start.
struct ServiceRun: Sendable {
  private enum Event {
    case ended(Int)
    case terminated
    case timedOut
  }

  let services: [any Service]
  let terminations: AsyncStream<Void>
  /// The time for the services to stop before they are canceled.
  let shutdownTime: Duration

  /// - Throws: The error of the first service that fails; ``RouterError`` if a service ends early or the services take too long
  ///   to stop. All other services are canceled and have ended.
  func run() async throws {
    try await withThrowingTaskGroup(of: Event.self) { tasks in
      let stops = services.map { _ in StopSignal() }
      for (index, service) in services.enumerated() {
        tasks.addTask {
          try await service.run(until: stops[index])
          return .ended(index)
        }
      }
      tasks.addTask {
        for await _ in terminations { break }
        return .terminated
      }
      // The service being stopped; `nil` before the signal.
      var stopping: Int?
      while let event = try await tasks.next() {
        try Task.checkCancellation()
        switch event {
        case .terminated:
          tasks.addTask {
            try? await PresentationClock.system.sleep(for: shutdownTime)
            return .timedOut
          }
          stopping = services.count - 1
        case .ended(let index) where index == stopping: stopping = index - 1
        case .ended(let index):
          throw RouterError(.unavailable, "cannot go on: the service \(type(of: services[index])) has ended")
        case .timedOut:
          throw RouterError(.shuttingDown, "cannot stop within shutdownSeconds: requests or connections are still open")
        }
        guard let next = stopping else { continue }
        guard next >= 0 else { break }
        stops[next].send()
      }
      tasks.cancelAll()
    }
  }
}
