/// An event to record, with the presentation that its fold gives.
package struct AuditEntry: Sendable, Hashable {
  package var event: Event
  /// The presentation after the event; `nil` where the event changes no row.
  package var row: Presentation?

  package init(_ event: Event, row: Presentation? = nil) {
    self.event = event
    self.row = row
  }
}
