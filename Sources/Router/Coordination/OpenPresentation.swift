/// All that the coordinator keeps of an open presentation besides what the rules need.
struct OpenPresentation: Sendable {
  /// As the last decision has it.
  var row: AuditRow
  /// As it is on record and everybody may see it; `nil` until the request is on record.
  var recorded: AuditRow?
  /// When the present showing began, by the boot clock.
  var shownSince: Duration?
  /// Whoever asked.
  var asker: PresentationHandle?
  let onDismiss: DismissCallback?
  /// Whether to note the delivery when the asker's waiter is resumed.
  let isDeliveredByHandle: Bool
  var progress: (@Sendable (PresentationUpdate) -> Void)?
  /// The position that `progress` was told last.
  var toldPosition: Int?
  /// Whoever else waits for its end.
  var watchers: [Int: PresentationHandle] = [:]
  /// What the person answered, for the asker alone where the presentation is sensitive.
  var answer: PresentationOutcome?

  init(
    row: AuditRow, asker: PresentationHandle? = nil, onDismiss: DismissCallback? = nil,
    progress: (@Sendable (PresentationUpdate) -> Void)? = nil, isDeliveredByHandle: Bool = false
  ) {
    self.row = row
    self.asker = asker
    self.onDismiss = onDismiss
    self.progress = progress
    self.isDeliveredByHandle = isDeliveredByHandle
  }
}
