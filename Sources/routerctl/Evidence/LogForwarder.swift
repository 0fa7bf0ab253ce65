import Router
import RouterCommandLine

/// Sends a log's events to a target in order, each at least once.
actor LogForwarder {
  private var log: any ForwardedLog
  private var state: ForwardState
  private let target: any ForwardTarget
  private let isOnce: Bool
  /// Reports what the forwarder waits for.
  private let say: @Sendable (String) -> Void
  private var isWaiting = false

  /// The longest time between two attempts.
  private static let longestPause = Duration.seconds(30)

  init(
    _ log: any ForwardedLog, state: ForwardState, target: any ForwardTarget, isOnce: Bool,
    say: @escaping @Sendable (String) -> Void
  ) {
    (self.log, self.state, self.target, self.isOnce, self.say) = (log, state, target, isOnce, say)
  }

  /// Forwards what is there and then what is recorded, until a failure that no waiting mends; with `isOnce`, what is there.
  func run() async throws {
    while true {
      // A copy, since the log is used while this waits.
      var log = log
      let isThere = try await log.forward(after: state.head, isOnce: isOnce) { try await self.deliver($0) }
      self.log = log
      if isOnce {
        guard isThere else { throw CommandFailure(.unreachable, "cannot forward the log: there is no \(log.name)") }
        return
      }
      if isThere { isWaiting = false } else { wait(for: log.name) }
      try await Task.sleep(for: log.interval)
    }
  }

  private func deliver(_ events: [ChainedEvent]) async throws {
    if let first = events.first?.event.seq, state.head.seq > 0, first > state.head.seq + 1 {
      say("events \(state.head.seq + 1) to \(first - 1) were pruned before they were forwarded")
    }
    var (rest, pause) = (events[...], Duration.milliseconds(250))
    while let last = rest.last {
      do {
        try await target.send(rest, after: state.head) { try await self.acknowledge($0) }
        if state.head.seq < last.head.seq { throw TargetFailure("it acknowledged only events up to \(state.head.seq)") }
        isWaiting = false
      } catch let error as TargetFailure {
        guard !isOnce else { throw CommandFailure(.unreachable, "cannot forward the log to \(target): \(error)") }
        wait(for: "\(target): \(error)")
        try await Task.sleep(for: pause)
        pause = min(pause * 2, Self.longestPause)
      }
      rest = rest.drop { $0.head.seq <= state.head.seq }
    }
  }

  private func acknowledge(_ head: AuditHead) throws {
    try state.acknowledge(head, at: PresentationClock.system.wall())
  }

  private func wait(for what: String) {
    if !isWaiting { say("waiting for \(what)") }
    isWaiting = true
  }
}
