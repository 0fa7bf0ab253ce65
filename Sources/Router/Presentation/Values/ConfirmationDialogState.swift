/// A confirmation dialog as a value: a title, which may be hidden, a message, and the choices.
///
/// ```swift
/// let dialog = ConfirmationDialogState(titleVisibility: .visible) {
///   TextState("What about \(name)?")
/// } actions: {
///   ButtonState(action: Choice.archive) { "Archive" }
///   ButtonState(role: .destructive, action: Choice.delete) { "Delete" }
///   ButtonState(role: .cancel) { "Nothing" }
/// }
/// ```
///
/// A dialog without buttons is rejected when it is shown.
public struct ConfirmationDialogState<Action> {
  public var title: TextState
  /// Whether to show the title; if `automatic`, the presenter decides.
  public var titleVisibility: PresentationRequest.TitleVisibility
  public var message: TextState?
  public var buttons: [ButtonState<Action>]

  /// A dialog with a plain title.
  public init(
    _ title: TextState, titleVisibility: PresentationRequest.TitleVisibility = .automatic, message: TextState? = nil,
    @ListBuilder<ButtonState<Action>> actions: () -> [ButtonState<Action>]
  ) {
    self.title = title
    self.titleVisibility = titleVisibility
    self.message = message
    buttons = actions()
  }

  /// A dialog in SwiftUI's order: title, actions, message.
  public init(
    titleVisibility: PresentationRequest.TitleVisibility = .automatic, title: () -> TextState,
    @ListBuilder<ButtonState<Action>> actions: () -> [ButtonState<Action>], message: (() -> TextState)? = nil
  ) {
    self.init(title(), titleVisibility: titleVisibility, message: message?(), actions: actions)
  }

  /// The same dialog with another action type.
  public func map<NewAction, Failure: Error>(
    _ transform: (Action) throws(Failure) -> NewAction
  ) throws(Failure) -> ConfirmationDialogState<NewAction> {
    let buttons = try buttons.map { (button) throws(Failure) in try button.map(transform) }
    return ConfirmationDialogState<NewAction>(title, titleVisibility: titleVisibility, message: message) { buttons }
  }
}

extension ConfirmationDialogState: Sendable where Action: Sendable {}
extension ConfirmationDialogState: Equatable where Action: Equatable {}
extension ConfirmationDialogState: Hashable where Action: Hashable {}
extension ConfirmationDialogState: Encodable where Action: Encodable {}
extension ConfirmationDialogState: Decodable where Action: Decodable {}

extension PresentationRequest {
  /// The dialog as sent on the wire and recorded: with button ids and no actions.
  public init<Action>(_ dialog: ConfirmationDialogState<Action>) {
    self.init(
      .confirmationDialog, dialog.title, dialog.message, dialog.buttons,
      dialog.titleVisibility == .automatic ? nil : dialog.titleVisibility)
  }
}
