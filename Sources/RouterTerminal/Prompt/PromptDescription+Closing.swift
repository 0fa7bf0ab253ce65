import RouterCore

extension PromptDescription.Closing {
  /// The notice for a person who tries to close a prompt that needs an answer.
  package static let refusal = "This prompt cannot be closed: it needs an answer."

  /// The words for closing a presentation without an answer: the key to type (after a colon in a form), and the forms that
  /// complete "Enter to …", ":b …" and "you …".
  package var words: (key: String, verb: String, effect: String, deed: String) {
    switch self {
    case .dismiss: ("d", "dismiss", "dismisses", "dismissed it")
    case .close: ("c", "close", "closes", "closed it")
    case .back: ("b", "go back", "goes back", "went back")
    case .leave: ("q", "leave", "leaves", "left")
    }
  }
}
