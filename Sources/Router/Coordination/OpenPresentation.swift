/// All that the coordinator keeps of an open presentation besides what the rules need.
///
/// An object, since a dictionary has room for twice its values, and each step would copy this out of it and back.
final class OpenPresentation {
  /// As the last decision has it.
  var row: AuditRow
  /// As it is on record and everybody may see it; `nil` until the request is on record.
  var recorded: AuditRow?
  /// When the present showing began, by the boot clock.
  var shownSince: Duration?
  /// Whoever asked and is there for the outcome: one, or with a key several.
  var askers: [Asker]
  let onDismiss: DismissCallback?
  /// Whoever else waits for its end.
  var watchers: [Int: PresentationHandle] = [:]
  /// What the person answered, for the asker alone where the presentation is sensitive.
  var answer: PresentationOutcome?

  init(
    row: AuditRow, askers: [Asker] = [], onDismiss: DismissCallback? = nil
  ) {
    self.row = row
    self.askers = askers
    self.onDismiss = onDismiss
  }

  /// One request that is there for the outcome.
  struct Asker: Sendable {
    /// The id that its presentation has, or would have if it had not joined another.
    let id: PresentationID
    let handle: PresentationHandle
    let progress: (@Sendable (PresentationUpdate) -> Void)?
    /// The position that `progress` was told last.
    var toldPosition: Int?
    /// Whether to note the delivery when the handle's waiter is resumed.
    let isDeliveredByHandle: Bool

    init(_ ask: CoordinatorMessage.Ask) {
      id = ask.id
      handle = ask.handle
      progress = ask.progress
      isDeliveredByHandle = ask.isDeliveredByHandle
    }
  }
}
