import Router

/// Closing a presentation without an answer, in words for a person who types lines.
extension PromptDescription.Closing {
  /// What is typed for it; after a colon in a form.
  var key: String {
    switch self {
    case .dismiss: "d"
    case .back: "b"
    case .leave: "l"
    }
  }

  /// As in "Enter to …".
  var verb: String {
    switch self {
    case .dismiss: "dismiss"
    case .back: "go back"
    case .leave: "leave"
    }
  }

  /// As in ":b …".
  var effect: String {
    switch self {
    case .dismiss: "dismisses"
    case .back: "goes back"
    case .leave: "leaves"
    }
  }

  /// As in "you …".
  var deed: String {
    switch self {
    case .dismiss: "dismissed it"
    case .back: "went back"
    case .leave: "left"
    }
  }
}
