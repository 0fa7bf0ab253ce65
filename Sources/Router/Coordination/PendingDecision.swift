/// A decision on its way to the record, and what is to be done when it is there or cannot be.
struct PendingDecision: Sendable {
  var number = 0
  /// What to record.
  var entries: [AuditEntry]
  /// What was decided; `nil` where only something is noted.
  var decision: PresentationSurfaces.Decision?
  /// Since when what it changed had been shown, to go back to where it cannot be recorded.
  var shownSince: [PresentationID: Duration?] = [:]
  /// What brought it about, if it happened of itself and must be decided again where it cannot be recorded.
  var cause: PresentationEvent?
  /// Who waits to hear that it is done.
  var handle: PresentationHandle?
  /// The presentation that the handle is about.
  var subject: PresentationID?
  /// What was shown ahead of the record, if something was.
  var ahead: ShownAhead?

  init(entries: [AuditEntry], decision: PresentationSurfaces.Decision? = nil) {
    self.entries = entries
    self.decision = decision
  }
}

/// What a presenter was shown while the end of the one before it was on its way to the record.
struct ShownAhead: Sendable {
  let surface: String
  /// What ended, and is before the person again where that cannot be recorded.
  let before: PresentationID
  let shown: PresentationID
  let generation: Int
}
