/// One answer for several prompts of the same kind, and approvals by several people.
extension Presentation {
  /// Checks that one answer may include the other presentations.
  func checkAlso(_ others: [Presentation]) throws(JSONError) {
    for other in others where other.id == id || !isLike(other) {
      throw JSONError("must be a prompt like the answered one", at: "/also/\(other.id)")
    }
  }

  /// Whether an answer needs further approvals.
  func needsOthers(after answer: PresentationAnswer, by resolver: Responder, at now: Timestamp) -> Bool {
    guard let requirement = request.require, requirement.concerns(answer, to: request), case .button(let button) = answer else {
      return false
    }
    let approvals = approvals.filter { $0.button == button }
    return !requirement.isMet(by: approvals + [Approval(by: resolver, at: now, button: button)])
  }

  /// Whether one answer may apply to both presentations: two acts of the same user, app and verb, with the same buttons.
  /// Neither may be secret, critical, destructive, stacked, part of a flow, or need several approvers.
  package func isLike(_ other: Presentation) -> Bool {
    mayBeOneOfSeveral && other.mayBeOneOfSeveral && requester.process.owner == other.requester.process.owner
      && requester.app == other.requester.app && request.surface == other.request.surface
      && request.act?.verb == other.request.act?.verb && request.buttons == other.request.buttons
  }

  /// Whether an answer to this presentation may include another one now.
  package func mayAlsoAnswer(_ other: Presentation) -> Bool { other.id != id && other.snoozedUntil == nil && isLike(other) }

  private var mayBeOneOfSeveral: Bool {
    request.act != nil && !request.buttons.isEmpty && !request.buttons.contains { $0.role == .destructive }
      && request.priority != .critical && request.severity != .critical && !request.sensitive && !request.flow
      && request.over == nil && request.require == nil
  }
}
