/// A confirmation dialog as a value: a title, which may be hidden, a message, and the choices.
///
/// ```swift
/// let dialog = ConfirmationDialogState(titleVisibility: .visible) {
///   "What about \(name)?"
/// } actions: {
///   ButtonState(action: Choice.archive) { "Archive" }
///   ButtonState(role: .destructive, action: Choice.delete) { "Delete" }
///   ButtonState(role: .cancel) { "Nothing" }
/// }
/// ```
///
/// A dialog without buttons is rejected when it is shown.
public struct ConfirmationDialogState<Action: Sendable>: Sendable {
  /// The title: one visible line of at most 1,024 bytes, without control characters.
  public var title: String
  /// Whether to show the title; if `automatic`, the presenter decides.
  public var titleVisibility: PresentationRequest.TitleVisibility
  /// The message: at most 65,536 bytes, without control characters except line feeds.
  public var message: String?
  /// The format of the message (default: plain).
  public var messageFormat: PresentationRequest.MessageFormat?
  /// Commands and diffs, shown in full below the message.
  public var attachments: [PresentationRequest.Attachment]?
  /// The exact action to approve; shown in the prompt.
  public var act: Act?
  /// The answers that may be remembered for requests with an equal or similar act.
  public var remember: PresentationRequest.Remember?
  public var buttons: [ButtonState<Action>]

  /// A dialog with a plain title.
  public init(
    _ title: String, titleVisibility: PresentationRequest.TitleVisibility = .automatic, message: String? = nil,
    @ListBuilder<ButtonState<Action>> actions: () -> [ButtonState<Action>]
  ) {
    self.title = title
    self.titleVisibility = titleVisibility
    self.message = message
    buttons = actions()
  }

  /// A dialog in SwiftUI's order: title, actions, message.
  public init(
    titleVisibility: PresentationRequest.TitleVisibility = .automatic, title: () -> String,
    @ListBuilder<ButtonState<Action>> actions: () -> [ButtonState<Action>], message: (() -> String)? = nil
  ) {
    self.init(title(), titleVisibility: titleVisibility, message: message?(), actions: actions)
  }

  /// The same dialog with another action type.
  public func map<NewAction: Sendable, Failure: Error>(
    _ transform: (Action) throws(Failure) -> NewAction
  ) throws(Failure) -> ConfirmationDialogState<NewAction> {
    let buttons = try buttons.map { (button) throws(Failure) in try button.map(transform) }
    var dialog = ConfirmationDialogState<NewAction>(title, titleVisibility: titleVisibility, message: message) { buttons }
    (dialog.messageFormat, dialog.attachments) = (messageFormat, attachments)
    (dialog.act, dialog.remember) = (act, remember)
    return dialog
  }
}

extension ConfirmationDialogState: Equatable where Action: Equatable {}
extension ConfirmationDialogState: Hashable where Action: Hashable {}
extension ConfirmationDialogState: Encodable where Action: Encodable {}
extension ConfirmationDialogState: Decodable where Action: Decodable {}

extension PresentationRequest {
  /// The dialog as sent on the wire and recorded: with button ids and no actions.
  public init<Action>(_ dialog: ConfirmationDialogState<Action>) {
    self.init(
      kind: .confirmationDialog, title: dialog.title, message: dialog.message,
      buttons: [PresentationRequest.Button](dialog.buttons),
      titleVisibility: dialog.titleVisibility == .automatic ? nil : dialog.titleVisibility)
    messageFormat = dialog.messageFormat ?? .plain
    attachments = dialog.attachments ?? []
    (act, remember) = (dialog.act, dialog.remember)
    normalize()
  }
}
