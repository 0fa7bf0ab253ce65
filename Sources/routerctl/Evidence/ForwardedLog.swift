import Router
import RouterClient
import RouterCommandLine

/// A log to forward: the database's file, or the daemon.
protocol ForwardedLog: Sendable {
  var name: String { get }
  /// The time between two calls of ``forward(after:isOnce:body:)``.
  var interval: Duration { get }

  /// Passes on the events after a head in pages. From the daemon, it continues until the connection is lost, unless `isOnce`.
  ///
  /// - Returns: Whether the log is there.
  /// - Throws: ``CommandFailure`` with the status 8 if the log does not have the head; any error of `body`.
  mutating func forward(
    after head: AuditHead, isOnce: Bool, body: @Sendable @escaping ([ChainedEvent]) async throws -> Void
  ) async throws -> Bool
}

extension ForwardedLog {
  /// The number of events between two comparisons with the log.
  static var pageLength: Int { 1000 }

  static func check(_ place: AuditHead.Place, of head: AuditHead) throws {
    let why: String
    switch place {
    case .same, .pruned: return
    case .different: why = "its hash differs: the log was rewritten, or this is another log"
    case .cutOff: why = "the log ends before it: its end was cut off, an older copy took its place, or this is another log"
    }
    throw CommandFailure(.faulty, "the log before event \(head.seq) is not the one that was forwarded: \(why)")
  }
}

extension LogFile: ForwardedLog {
  mutating func forward(
    after head: AuditHead, isOnce: Bool, body: @Sendable @escaping ([ChainedEvent]) async throws -> Void
  ) async throws -> Bool {
    guard let reader = try open()?.source as? AuditReader else { return false }
    var head = head
    while true {
      let (place, events) = try await reader.events(after: head, limit: Self.pageLength)
      try Self.check(place, of: head)
      guard let last = events.last else { return true }
      try await body(events)
      head = last.head
    }
  }
}

extension DaemonLog: ForwardedLog {
  private struct Caught: Error {}

  mutating func forward(
    after head: AuditHead, isOnce: Bool, body: @Sendable @escaping ([ChainedEvent]) async throws -> Void
  ) async throws -> Bool {
    do {
      let newest = try await check(head)
      if isOnce, newest <= head.seq { return true }
      let batch = Mutex(Batch())
      try await client.followChain(after: head.seq, surface: surface) { [self] event in
        // Events that were there are sent in pages, and later ones as they arrive.
        let (page, isDue) = batch.withLock { $0.add(event, isLast: event.event.seq >= newest) }
        if !page.isEmpty { try await body(page) }
        if isDue { try await check(event.head) }
        if isOnce, event.event.seq >= newest { throw Caught() }
      }
      return false
    } catch is Caught {
      return true
    } catch let error as RouterError where !isOnce && (error.code == .unreachable || error.code == .shuttingDown) {
      return false
    }
  }

  /// Compares a head with the log, and returns the number of the newest event.
  @discardableResult
  private func check(_ head: AuditHead) async throws -> Int64 {
    let newest = try await client.chainedEvent(upTo: nil, surface: surface)?.head ?? AuditHead()
    guard head.seq > 0 else { return newest.seq }
    let found = newest.seq > head.seq ? try await client.chainedEvent(upTo: head.seq, surface: surface)?.head : newest
    let place: AuditHead.Place =
      switch found {
      case nil: .pruned
      case let found? where found.seq < head.seq: .cutOff
      case let found?: found == head ? .same : .different
      }
    try Self.check(place, of: head)
    return newest.seq
  }

  /// The events that have arrived and were not passed on.
  private struct Batch {
    private var events: [ChainedEvent] = []
    private var sinceCheck = 0

    /// Adds an event, and returns those to pass on now, and whether the log is to be compared after them.
    mutating func add(_ event: ChainedEvent, isLast: Bool) -> (page: [ChainedEvent], isDue: Bool) {
      events.append(event)
      sinceCheck += 1
      let isDue = sinceCheck >= DaemonLog.pageLength
      guard isLast || isDue else { return ([], false) }
      if isDue { sinceCheck = 0 }
      defer { events = [] }
      return (events, isDue)
    }
  }
}
