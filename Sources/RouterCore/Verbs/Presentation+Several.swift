/// One answer to several prompts of the same kind, and several people's answers to one.
extension Presentation {
  /// Checks that other presentations may be answered together with this one.
  func checkAlso(_ others: [Presentation]) throws(JSONError) {
    for other in others where other.id == id || !isLike(other) {
      throw JSONError("must be a prompt like the answered one", at: "/also/\(other.id)")
    }
  }

  /// Whether further people must give an answer before it counts.
  func needsOthers(after answer: PresentationAnswer, by resolver: Responder, at now: Timestamp) -> Bool {
    guard let requirement = request.require, requirement.concerns(answer, to: request), case .button(let button) = answer else {
      return false
    }
    let approvals = approvals.filter { $0.button == button }
    return !requirement.isMet(by: approvals + [Approval(by: resolver, at: now, button: button)])
  }

  /// Whether a person may answer both at once: two acts of the same user, app and verb, with the same buttons. Neither is secret,
  /// critical, destructive, stacked, a flow or for several people.
  package func isLike(_ other: Presentation) -> Bool {
    mayBeOneOfSeveral && other.mayBeOneOfSeveral && requester.process.owner == other.requester.process.owner
      && requester.app == other.requester.app && request.surface == other.request.surface
      && request.act?.verb == other.request.act?.verb && request.buttons == other.request.buttons
  }

  /// Whether a presentation can be answered now together with this one.
  package func mayAlsoAnswer(_ other: Presentation) -> Bool { other.id != id && other.snoozedUntil == nil && isLike(other) }

  private var mayBeOneOfSeveral: Bool {
    request.act != nil && !request.buttons.isEmpty && !request.buttons.contains { $0.role == .destructive }
      && request.priority != .critical && request.severity != .critical && !request.sensitive && !request.flow
      && request.over == nil && request.require == nil
  }
}
