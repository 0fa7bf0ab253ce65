extension Presentation {
  /// Whether the presentation was answered with a button other than cancel. A sensitive answer is unknown, and counts as no.
  package var isApproved: Bool {
    switch outcome {
    case .answered(.redacted): false
    case .answered: answerKind != .no
    default: false
    }
  }

  /// Whether an approved act has no reported result yet, for example while it runs.
  package var isUnreported: Bool { isApproved && request.act != nil && ran == nil }

  /// Checks that the requester may report the result of its act.
  package func check(_ ran: Ran) throws(PresentationRejection) {
    guard ran.by.process.owner == requester.process.owner else { throw .notOpen }
    guard isApproved else { throw .notApproved }
    guard self.ran == nil else { throw .reported }
    guard ran.report.act == request.act?.digest else {
      throw .answerDoesNotFit(JSONError("is not the act that was approved", at: "/act"))
    }
  }
}
