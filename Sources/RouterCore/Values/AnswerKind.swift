/// The kind of an answer, for the log and its statistics.
package enum AnswerKind: String, Sendable, Hashable, CaseIterable {
  /// The only button besides the cancel button.
  case yes
  /// The cancel button.
  case no
  /// One of several buttons, or a value.
  case other
}

extension PresentationRequest {
  /// Returns `no` for a button with the role cancel, `yes` for the other one of two buttons, and `other` for the rest.
  package func kind(of answer: PresentationAnswer) -> AnswerKind {
    guard case .button(let id) = answer, let button = buttons.first(where: { $0.id == id }) else { return .other }
    if button.role == .cancel { return .no }
    return buttons.count == 2 && buttons.contains { $0.role == .cancel } ? .yes : .other
  }
}

extension Presentation {
  /// The kind of the answer; `nil` without an answer.
  package var answerKind: AnswerKind? {
    if case .answered(let answer) = outcome { request.kind(of: answer) } else { nil }
  }
}
