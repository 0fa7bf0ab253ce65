package import RouterCore

extension PresenterResponse {
  /// The answer with the state of the suppression toggle.
  func suppressing(_ isSuppressed: Bool) -> PresenterResponse {
    if case .answer(let answer, _) = self { .answer(answer, isSuppressed: isSuppressed) } else { self }
  }

  /// Describes the response without revealing secrets.
  package func summary(in request: PresentationRequest) -> String {
    switch self {
    case .dismiss: PromptDescription(request).closing.words.deed
    case .answer(.button(let id), let isSuppressed):
      "chose \(request.buttons.first { $0.id == id }?.label ?? id)"
        + (isSuppressed ? ", and “\(request.suppressionToggle ?? "")”" : "")
    case .answer(.value, _), .answer(.redacted, _): "answered"
    }
  }
}

extension Presentation.Withdrawal {
  /// Explains why a prompt was withdrawn.
  package func explanation(of request: PresentationRequest) -> String {
    switch self {
    case .answered where request.flow: "it was answered elsewhere, or its program ended it"
    case .answered: "it was answered elsewhere"
    case .dismissed: "it was dismissed elsewhere"
    case .cancelled: "it was canceled"
    case .expired: "it expired"
    case .failed: "another presenter failed to show it"
    case .covered: "another prompt covers it; it comes back"
    case .disconnected: "lost the connection to routerd; it comes back if still open"
    }
  }
}
