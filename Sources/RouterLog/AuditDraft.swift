import RouterCore

/// The events and replies of the next transaction.
///
/// Every event of a shared record is decoded and folded here before it is recorded, as following hosts will do: an event that
/// they reject could never be removed.
struct AuditDraft {
  private(set) var events: [Event] = []
  private(set) var records: [AuditRecord] = []
  private(set) var replies: [InboxReply] = []
  private(set) var end: AuditHead
  private var fold = AuditCheck()
  /// Whether other hosts copy the record. Otherwise only reports are checked, since the rules have folded their own events.
  private let isShared: Bool

  init(after end: AuditHead, isShared: Bool) { (self.end, self.isShared) = (end, isShared) }

  /// Adds the next events.
  ///
  /// - Throws: ``FoldError``, with nothing added, if an event is invalid in this state.
  mutating func add(_ append: AuditLog.Append, to writer: inout AuditWriter) throws {
    var end = end
    let records = append.events.map { AuditRecord($0, after: &end) }
    for (event, record) in zip(append.events, records) {
      switch append.source {
      case .rules: if isShared { try fold.add(try read(record), to: &writer) }
      case .requester where isShared: try fold.add(report: try read(record), to: &writer)
      case .requester:
        // Events of this transaction were not folded.
        fold = AuditCheck()
        try fold.add(report: event, after: events, to: &writer)
      case .host(let host): try fold.add(report: try read(record), of: host, to: &writer)
      }
    }
    self.end = end
    self.records += records
    if let reply = append.inbox { replies.append(reply) }
    events += append.events
  }

  /// Adds the reply to an input with invalid events.
  mutating func refuse(_ append: AuditLog.Append, because error: RouterError) {
    guard let row = append.inbox?.row else { return }
    replies.append(InboxReply(row: row, reply: error.code == .notFound ? .notOpen : SharedReply(error)))
  }

  private func read(_ record: AuditRecord) throws(FoldError) -> Event {
    do { return try record.event() } catch { throw FoldError("it could not be read: \(error)") }
  }
}

/// The fold of a record's next events.
struct AuditCheck {
  /// The presentations of the events, after the last event.
  private var known: [PresentationID: Presentation]

  init(carried: [Presentation] = []) { known = Dictionary(carried.map { ($0.id, $0) }) { _, last in last } }

  /// Adds an event.
  ///
  /// - Throws: ``FoldError`` if the event is invalid in this state.
  mutating func add(_ event: Event, to writer: inout AuditWriter) throws {
    guard let id = event.presentation else { return }
    var presentation = try find(id, in: &writer)
    if case .requested(let asked) = event.detail {
      guard presentation == nil else { throw FoldError("it is requested twice") }
      if let parent = asked.request.over {
        let below = try find(parent, in: &writer)
        guard let below, below.state != .resolved, below.request.surface == asked.request.surface else {
          throw FoldError("it is stacked on what is not open")
        }
      }
      presentation = Presentation(id, asked)
    } else {
      try presentation?.apply(event)
    }
    known[id] = presentation
  }

  /// Adds an event that no rule has decided.
  ///
  /// - Parameters:
  ///   - host: The reporting host; `nil` for this one.
  ///   - earlier: Earlier events that were not added.
  /// - Throws: ``FoldError``, with nothing changed, if the event is invalid in this state or has no effect.
  mutating func add(report event: Event, of host: String? = nil, after earlier: [Event] = [], to writer: inout AuditWriter)
    throws
  {
    guard let id = event.presentation, var before = try find(id, in: &writer),
      host.map({ $0 == before.requester.process.host }) ?? true
    else { throw FoldError("its prompt is not on record") }
    for other in earlier where other.presentation == id { try before.apply(other) }
    var after = before
    try after.apply(event)
    guard after != before || event.detail == .delivered else { throw FoldError("it is on record already") }
    known[id] = after
  }

  private mutating func find(_ id: PresentationID, in writer: inout AuditWriter) throws -> Presentation? {
    if let presentation = known[id] { return presentation }
    do { known[id] = try writer.presentation(id) } catch let error as JSONError {
      throw FoldError("its record cannot be read: \(error)")
    }
    return known[id]
  }
}

extension RouterError {
  /// The error for a decision that following hosts would reject.
  init(contradicting error: FoldError) {
    self.init(
      .logUnavailable, "cannot record a decision that the record contradicts (\(error)); nothing was changed",
      retryAfter: .seconds(1), cause: error)
  }
}
