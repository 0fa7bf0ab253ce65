/// How the texts of a request look: no part of what it asks, and so none of what makes two requests equal.
struct TextStyles: Sendable, Hashable {
  /// One of the texts that may have styles.
  enum Place: Sendable, Hashable {
    case title, message
    /// The label of the button of that id.
    case button(String)
  }

  /// The texts that have styles, with them.
  var texts: [Place: TextState] = [:]

  static func == (left: TextStyles, right: TextStyles) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

extension PresentationRequest {
  /// The title with its styles, where its requester is in this process; else without. Neither wire nor log has them.
  public var styledTitle: TextState? { styled(title, at: .title) }

  /// The message with its styles, where its requester is in this process; else without.
  public var styledMessage: TextState? { styled(message, at: .message) }

  /// A button's label with its styles, where its requester is in this process; else without.
  public func styledLabel(of button: PresentationButton) -> TextState {
    styled(button.label, at: .button(button.id)) ?? TextState(button.label)
  }

  /// What was kept, unless the text was changed since.
  private func styled(_ text: String?, at place: TextStyles.Place) -> TextState? {
    guard let text else { return nil }
    guard let styled = styles.texts[place], styled.plainText == text else { return TextState(text) }
    return styled
  }

  /// Keeps how a text looks, if it has any style.
  mutating func keepStyles(of text: TextState?, at place: TextStyles.Place) {
    if let text, text.runs.contains(where: { !$0.style.isEmpty }) { styles.texts[place] = text }
  }

  /// Keeps how the labels of buttons look.
  mutating func keepStyles<Action>(of buttons: [ButtonState<Action>]) {
    for (position, button) in buttons.enumerated() {
      keepStyles(of: button.label, at: .button(button.wireID(at: position)))
    }
  }
}
