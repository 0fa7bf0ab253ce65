extension PresentationRequest {
  /// One of the texts that may have styles.
  enum TextPlace: Sendable, Hashable {
    case title, message
    /// The label of the button of that id.
    case button(String)
  }

  /// The title with its styles, where its requester is in this process; else without. Neither wire nor log has them.
  public var styledTitle: TextState? { styled(title, at: .title) }

  /// The message with its styles, where its requester is in this process; else without.
  public var styledMessage: TextState? { styled(message, at: .message) }

  /// A button's label with its styles, where its requester is in this process; else without.
  public func styledLabel(of button: PresentationButton) -> TextState {
    styled(button.label, at: .button(button.id)) ?? TextState(button.label)
  }

  /// What was kept, unless the text was changed since.
  private func styled(_ text: String?, at place: TextPlace) -> TextState? {
    guard let text else { return nil }
    guard let styled = styles[place], styled.plainText == text else { return TextState(text) }
    return styled
  }

  /// Keeps how a text looks, if it has any style.
  mutating func keepStyles(of text: TextState?, at place: TextPlace) {
    if let text, text.runs.contains(where: { !$0.style.isEmpty }) { styles[place] = text }
  }

  /// Keeps how the labels of buttons look.
  mutating func keepStyles<Action>(of buttons: [ButtonState<Action>]) {
    for (position, button) in buttons.enumerated() {
      keepStyles(of: button.label, at: .button(button.wireID(at: position)))
    }
  }
}
