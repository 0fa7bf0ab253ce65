import Router

extension PromptDescription.Closing {
  /// The words for closing a presentation without an answer: the key to type (after a colon in a form), and the forms that
  /// complete "Enter to …", ":b …" and "you …".
  var words: (key: String, verb: String, effect: String, deed: String) {
    switch self {
    case .dismiss: ("d", "dismiss", "dismisses", "dismissed it")
    case .back: ("b", "go back", "goes back", "went back")
    case .leave: ("l", "leave", "leaves", "left")
    }
  }
}
