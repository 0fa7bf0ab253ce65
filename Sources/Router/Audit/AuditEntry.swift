/// An event to record, with the presentation that its fold gives.
public struct AuditEntry: Sendable, Hashable {
  public var event: Event
  /// The presentation after the event; `nil` where the event changes no row.
  public var row: Presentation?

  public init(_ event: Event, row: Presentation? = nil) {
    self.event = event
    self.row = row
  }
}
