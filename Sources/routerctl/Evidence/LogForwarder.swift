import Router
import RouterCommandLine

/// Sends a log's events to a target in order, each at least once.
actor LogForwarder {
  private var log: any FollowedLog
  private var state: ForwardState
  private let target: any ForwardTarget
  private let isOnce: Bool
  /// Reports why the forwarder is waiting.
  private let say: @Sendable (String) -> Void
  private var isWaiting = false
  /// The number of events since the last comparison with the log.
  private var uncompared = 0

  /// The maximum delay between two attempts.
  private static let longestDelay = Duration.seconds(30)
  /// The number of events between two comparisons with the log.
  private static let comparisonInterval = 1000

  init(
    _ log: any FollowedLog, state: ForwardState, target: any ForwardTarget, isOnce: Bool,
    say: @escaping @Sendable (String) -> Void
  ) {
    (self.log, self.state, self.target, self.isOnce, self.say) = (log, state, target, isOnce, say)
  }

  /// Forwards existing events and then new ones, until a permanent failure; with `isOnce`, only existing events.
  ///
  /// - Throws: ``CommandFailure``, with the status 8 if the log does not continue the forwarded one.
  func run() async throws {
    while true {
      let isThere = try await forward()
      if isOnce {
        guard isThere else { throw CommandFailure(.unreachable, "cannot forward the log: there is no \(log.name)") }
        return
      }
      if isThere { isWaiting = false } else { wait(for: log.name) }
      try await Task.sleep(for: log.interval)
    }
  }

  /// Forwards new events. Returns whether the log exists.
  private func forward() async throws -> Bool {
    do {
      guard let (source, _) = try log.open() else { return false }
      try await compare(with: source)
      var query = AuditQuery()
      if isOnce { query.through = try await source.lastSeq() }
      return try await source.follow(after: state.head.seq, query) { try await self.deliver($0, of: source) } != nil
    } catch let error as RouterError where !isOnce && (error.code == .unreachable || error.code == .shuttingDown) {
      return false
    }
  }

  /// Checks that the log contains the last forwarded event.
  private func compare(with log: any LogSource) async throws {
    uncompared = 0
    let why: String
    switch try await log.relation(of: state.head) {
    case .same, .pruned: return
    case .different: why = "its hash differs: the log was rewritten, or this is another log"
    case .cutOff: why = "the log ends before it: its end was cut off, an older copy replaced it, or this is another log"
    }
    throw CommandFailure(.faulty, "the log before event \(state.head.seq) is not the one that was forwarded: \(why)")
  }

  private func deliver(_ events: [ChainedEvent], of log: any LogSource) async throws {
    if uncompared >= Self.comparisonInterval { try await compare(with: log) }
    uncompared += events.count
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
        pause = min(pause * 2, Self.longestDelay)
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
