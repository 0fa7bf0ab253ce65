/// An event to record, and the presentation that results from it.
package struct AuditEntry: Sendable, Hashable {
  package var event: Event
  /// The presentation after the event; `nil` if the event changes no row.
  package var row: Presentation?

  package init(_ event: Event, row: Presentation? = nil) {
    self.event = event
    self.row = row
  }

  var withoutSecret: AuditEntry { AuditEntry(event.withoutSecret, row: row) }
}
