extension Presentation {
  /// Whether it was answered, and not with a cancel button. Unknown for a sensitive answer, which counts as no.
  package var isApproved: Bool {
    switch outcome {
    case .answered(.redacted): false
    case .answered: answerKind != .no
    default: false
    }
  }

  /// Whether an act was approved, and its requester has not reported the result, as while it runs.
  package var isUnreported: Bool { isApproved && request.act != nil && ran == nil }

  /// Checks that its requester may report the result of its act.
  package func check(_ ran: Ran) throws(PresentationRejection) {
    guard ran.by.process.owner == requester.process.owner else { throw .notOpen }
    guard isApproved else { throw .notApproved }
    guard self.ran == nil else { throw .reported }
    guard ran.report.act == request.act?.digest else {
      throw .answerDoesNotFit(JSONError("is not the act that was approved", at: "/act"))
    }
  }
}
