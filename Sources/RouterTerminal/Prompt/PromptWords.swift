import OrderedCollections
package import RouterCore

extension PresenterResponse {
  /// Describes the response without revealing secrets.
  package func summary(of presentation: Presentation) -> String {
    let request = presentation.request
    if let snooze { return "snoozed it for \(snooze.brief)" }
    return switch answer {
    case nil: PromptDescription(request).closing.words.deed
    case .button(let id):
      "chose \(request.buttons.first { $0.id == id }?.label ?? id)"
        + (extra.remember.map { ", remembered: \($0.period.words(presentation.offer?.anchor))" } ?? "")
        + (extra.also.isEmpty ? "" : ", also for \(extra.also.count) more")
        + (presentation.peopleMissing(after: .button(id)).map { $0 == 0 ? "" : ", and \($0) more must" } ?? "")
    case .value, .redacted: "answered"
    }
  }
}

extension Presentation.Withdrawal {
  /// Explains why a prompt was withdrawn.
  package func explanation(of request: PresentationRequest) -> String {
    switch self {
    case .answered where request.flow: "withdrawn: it was answered elsewhere, or its program ended it"
    case .answered: "withdrawn: it was answered elsewhere"
    case .dismissed: "withdrawn: it was dismissed elsewhere"
    case .cancelled: "cancelled"
    case .expired: "withdrawn: it expired"
    case .failed: "withdrawn: it could not be shown"
    case .covered: "withdrawn: another prompt covers it; it comes back"
    case .snoozed: "withdrawn: it was snoozed elsewhere; it comes back"
    case .disconnected: "withdrawn: lost the connection to routerd; it comes back if still open"
    }
  }
}
