import Router

extension PromptDescription.Closing {
  /// Words for closing a presentation without an answer: what is typed for it (after a colon in a form), and as in "Enter to …",
  /// ":b …" and "you …".
  var words: (key: String, verb: String, effect: String, deed: String) {
    switch self {
    case .dismiss: ("d", "dismiss", "dismisses", "dismissed it")
    case .back: ("b", "go back", "goes back", "went back")
    case .leave: ("l", "leave", "leaves", "left")
    }
  }
}
