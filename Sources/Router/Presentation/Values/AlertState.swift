/// An alert as a value: a title, a message, and the buttons to choose from.
///
/// ```swift
/// let alert = AlertState {
///   TextState("Delete \(name)?")
/// } actions: {
///   ButtonState(role: .destructive, action: Choice.delete) { "Delete" }
///   ButtonState(role: .cancel) { "Keep" }
/// } message: {
///   "This cannot be undone."
/// }
/// ```
///
/// An alert without buttons gets one, `ok`.
public struct AlertState<Action> {
  public var title: TextState
  public var message: TextState?
  public var buttons: [ButtonState<Action>]

  /// An alert with a plain title.
  public init(
    _ title: TextState, message: TextState? = nil,
    @ListBuilder<ButtonState<Action>> actions: () -> [ButtonState<Action>] = { [] }
  ) {
    self.title = title
    self.message = message
    buttons = actions()
  }

  /// An alert in SwiftUI's order: title, actions, message.
  public init(
    title: () -> TextState,
    @ListBuilder<ButtonState<Action>> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.init(title(), message: message?(), actions: actions)
  }

  /// The same alert with another action type.
  public func map<NewAction, Failure: Error>(
    _ transform: (Action) throws(Failure) -> NewAction
  ) throws(Failure) -> AlertState<NewAction> {
    let buttons = try buttons.map { (button) throws(Failure) in try button.map(transform) }
    return AlertState<NewAction>(title, message: message) { buttons }
  }
}

extension AlertState where Action == Never {
  /// An alert without choices, which can only be closed.
  public init(_ title: TextState, message: TextState? = nil) {
    self.init(title, message: message, actions: {})
  }

  /// An alert without choices, in SwiftUI's order.
  public init(title: () -> TextState, message: (() -> TextState)? = nil) {
    self.init(title(), message: message?())
  }
}

extension AlertState: Sendable where Action: Sendable {}
extension AlertState: Equatable where Action: Equatable {}
extension AlertState: Hashable where Action: Hashable {}
extension AlertState: Encodable where Action: Encodable {}
extension AlertState: Decodable where Action: Decodable {}

extension PresentationRequest {
  /// The alert as sent on the wire and recorded: with button ids and no actions.
  public init<Action>(_ alert: AlertState<Action>) {
    self.init(.alert, alert.title, alert.message, alert.buttons)
  }

  init<Action>(
    _ kind: PresentationKind, _ title: TextState, _ message: TextState?, _ buttons: [ButtonState<Action>],
    _ titleVisibility: TitleVisibility? = nil
  ) {
    self.init(
      kind: kind, title: title, message: message, buttons: [Button](buttons), titleVisibility: titleVisibility)
    normalize()
  }
}
