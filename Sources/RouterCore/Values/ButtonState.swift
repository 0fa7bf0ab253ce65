/// A button of an alert or a confirmation dialog. A button without an action dismisses the prompt.
public struct ButtonState<Action> {
  /// The recorded id: 1 to 64 letters, digits, `.`, `_` and `-` (default: `b1`, `b2`, … by position).
  public var id: String?
  /// The label: one visible line of at most 256 bytes, distinct in appearance from other buttons'.
  public var label: String
  public var role: ButtonRole?
  /// Whether Enter presses it, like SwiftUI's `.keyboardShortcut(.defaultAction)`. At most one button.
  public var isDefault: Bool
  /// The value returned when the button is pressed.
  public var action: Action?

  /// A button with a plain label: `ButtonState("Delete", role: .destructive, action: .delete)`.
  public init(
    _ label: String, id: String? = nil, role: ButtonRole? = nil, isDefault: Bool = false, action: Action? = nil
  ) {
    self.id = id
    self.label = label
    self.role = role
    self.isDefault = isDefault
    self.action = action
  }

  /// A button with its label in a trailing closure.
  public init(
    id: String? = nil, role: ButtonRole? = nil, isDefault: Bool = false, action: Action? = nil, label: () -> String
  ) {
    self.init(label(), id: id, role: role, isDefault: isDefault, action: action)
  }

  /// The same button with another action type.
  public func map<NewAction, Failure: Error>(
    _ transform: (Action) throws(Failure) -> NewAction
  ) throws(Failure) -> ButtonState<NewAction> {
    ButtonState<NewAction>(label, id: id, role: role, isDefault: isDefault, action: try action.map(transform))
  }
}

extension ButtonState: Sendable where Action: Sendable {}
extension ButtonState: Equatable where Action: Equatable {}
extension ButtonState: Hashable where Action: Hashable {}

private enum ButtonKey: String, CodingKey {
  case id, label, role, isDefault, action
}

extension ButtonState: Encodable where Action: Encodable {
  /// Omits absent members.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ButtonKey.self)
    try container.encodeIfPresent(id, forKey: .id)
    try container.encode(label, forKey: .label)
    try container.encodeIfPresent(role, forKey: .role)
    if isDefault { try container.encode(true, forKey: .isDefault) }
    if let action { try container.encode(action, forKey: .action) }
  }
}

extension ButtonState: Decodable where Action: Decodable {
  /// Decodes the format of `encode(to:)`. If `Action` is optional, distinguishes an action of `nil` from no action.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ButtonKey.self)
    self.init(
      try container.decode(String.self, forKey: .label), id: try container.decodeIfPresent(String.self, forKey: .id),
      role: try container.decodeIfPresent(ButtonRole.self, forKey: .role),
      isDefault: try container.decodeIfPresent(Bool.self, forKey: .isDefault) ?? false,
      action: container.contains(.action) ? .some(try container.decode(Action.self, forKey: .action)) : nil)
  }
}

extension [PresentationRequest.Button] {
  package init<Action>(_ buttons: [ButtonState<Action>]) {
    self = buttons.enumerated().map { position, button in
      PresentationRequest.Button(
        id: button.wireID(at: position), label: button.label, role: button.role, isDefault: button.isDefault)
    }
  }
}

extension ButtonState {
  /// The button's id on the wire: its own, or one derived from its position, so that a repeated request is identical.
  func wireID(at position: Int) -> String { id ?? "b\(position + 1)" }
}
