/// An alert as a value: a title, a message, and the buttons to choose from.
///
/// ```swift
/// let alert = AlertState {
///   "Delete \(name)?"
/// } actions: {
///   ButtonState(role: .destructive, action: Choice.delete) { "Delete" }
///   ButtonState(role: .cancel) { "Keep" }
/// } message: {
///   "This cannot be undone."
/// }
/// ```
///
/// An alert without buttons gets one, `ok`.
public struct AlertState<Action: Sendable>: Sendable {
  /// The title: one visible line of at most 1,024 bytes, without control characters.
  public var title: String
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

  /// An alert with a plain title.
  public init(
    _ title: String, message: String? = nil,
    @ListBuilder<ButtonState<Action>> actions: () -> [ButtonState<Action>] = { [] }
  ) {
    self.title = title
    self.message = message
    buttons = actions()
  }

  /// An alert in SwiftUI's order: title, actions, message.
  public init(
    title: () -> String,
    @ListBuilder<ButtonState<Action>> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> String)? = nil
  ) {
    self.init(title(), message: message?(), actions: actions)
  }

  /// The same alert with another action type.
  public func map<NewAction: Sendable, Failure: Error>(
    _ transform: (Action) throws(Failure) -> NewAction
  ) throws(Failure) -> AlertState<NewAction> {
    let buttons = try buttons.map { (button) throws(Failure) in try button.map(transform) }
    var alert = AlertState<NewAction>(title, message: message) { buttons }
    (alert.messageFormat, alert.attachments) = (messageFormat, attachments)
    (alert.act, alert.remember) = (act, remember)
    return alert
  }
}

extension AlertState where Action == Never {
  /// An alert without choices, which can only be closed.
  public init(_ title: String, message: String? = nil) {
    self.init(title, message: message, actions: {})
  }

  /// An alert without choices, in SwiftUI's order.
  public init(title: () -> String, message: (() -> String)? = nil) {
    self.init(title(), message: message?())
  }
}

extension AlertState: Equatable where Action: Equatable {}
extension AlertState: Hashable where Action: Hashable {}
extension AlertState: Encodable where Action: Encodable {}
extension AlertState: Decodable where Action: Decodable {}

extension PresentationRequest {
  /// The alert as sent on the wire and recorded: with button ids and no actions.
  public init<Action>(_ alert: AlertState<Action>) {
    self.init(kind: .alert, title: alert.title, message: alert.message, buttons: [PresentationRequest.Button](alert.buttons))
    messageFormat = alert.messageFormat ?? .plain
    attachments = alert.attachments ?? []
    (act, remember) = (alert.act, alert.remember)
    normalize()
  }
}
