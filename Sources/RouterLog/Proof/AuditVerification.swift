package import RouterCore

/// The result of a tamper check.
package struct AuditVerification: Sendable, Hashable {
  /// A discrepancy between the events and the rest of the log.
  package struct Fault: Sendable, Hashable {
    /// The faulty event, if known.
    package var seq: Int64?
    package var presentation: PresentationID?
    /// The column of the presentation's row.
    package var column: String?
    /// The expected and the stored value, as shortened display text.
    package var expected: String?
    package var found: String?
    /// A description of the fault as a clause, for example "its hash does not match its content and the hash before it".
    package var what: String
  }

  /// A recorded `pruned` event.
  package struct Pruning: Sendable, Hashable {
    package let seq: Int64
    package let at: Timestamp
    /// The last event that was pruned.
    package let anchor: AuditHead
    /// The cutoff time of the pruning.
    package let before: Timestamp
    /// The number of pruned events.
    package let events: Int
    /// The party that requested it; `nil` for the daemon's retention.
    package let by: Presentation.Responder?
  }

  /// The results for the anchors.
  package struct Anchors: Sendable, Hashable {
    package var matching = 0
    /// The anchors of pruned events, which cannot be compared.
    package var pruned = 0
    package var failing = 0
    /// The highest matching anchor.
    package var newest: AuditHead?
  }

  /// The last pruned event; `nil` if the log starts with its first event.
  package let anchor: AuditHead?
  /// The newest event.
  package let head: AuditHead
  /// The number of checked events.
  package let events: Int
  /// The number of checked rows of presentations.
  package let presentations: Int
  package let anchors: Anchors
  /// The prunings after the expected head and the newest matching anchor; all recorded prunings without either.
  package let prunings: [Pruning]
  /// The first few faults; empty if the check passed.
  package internal(set) var faults: [Fault]

  package var fault: Fault? { faults.first }
}

extension AuditVerification.Fault {
  /// Creates a fault that concerns neither an event nor a row.
  package init(_ what: String) { self.init(seq: nil, what: what) }
}
