import Router

/// Words for closing a presentation without an answer, for a person who types lines.
extension PromptDescription.Closing {
  /// What is typed for it; after a colon in a form.
  var key: String { words.key }
  /// As in "Enter to …".
  var verb: String { words.verb }
  /// As in ":b …".
  var effect: String { words.effect }
  /// As in "you …".
  var deed: String { words.deed }

  private var words: (key: String, verb: String, effect: String, deed: String) {
    switch self {
    case .dismiss: ("d", "dismiss", "dismisses", "dismissed it")
    case .back: ("b", "go back", "goes back", "went back")
    case .leave: ("l", "leave", "leaves", "left")
    }
  }
}
