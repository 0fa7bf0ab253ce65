extension Presentation {
  func checkAnswer(
    by resolver: Presentation.Responder?, _ policy: PresentationSurfaces.Policy
  ) throws(PresentationRejection) {
    try checkDismissal(by: resolver, policy)
    if let resolver, isGuarded(from: resolver.process) { throw .agentAnswer }
  }

  /// Checks whether the setting allows the requester's user to answer or dismiss. Both claim that a person acted.
  func checkDismissal(
    by resolver: Presentation.Responder?, _ policy: PresentationSurfaces.Policy
  ) throws(PresentationRejection) {
    guard let resolver else { return }
    let (rule, requester) = (policy.selfAnswer, requester.process)
    let isOwnUser = policy.people.accounts(with: requester.owner).contains(resolver.process.owner)
    if rule == .user ? isOwnUser : rule.forbids(resolver.process, toAnswer: requester) { throw .selfAnswer(rule) }
    // The requester does not count as one of several approvers.
    if request.require != nil, isOwnUser { throw .ownApproval }
  }

  /// Whether a process is the agent that asked, or may descend from it.
  func isGuarded(from process: ProcessIdentity) -> Bool { requester.isGuarded(request.agent, from: process) }
}

extension Presentation.Requester {
  /// Whether a process is the agent, or may descend from it.
  func isGuarded(_ agent: Int32?, from process: ProcessIdentity) -> Bool {
    guard let agent = agent.flatMap(self.process.ancestor), process.host == self.process.host else { return false }
    return process.mayDescend(from: agent)
  }
}

extension PresenterIdentity {
  /// Checks that the presenter of a single presentation belongs to the requester's user and may answer it.
  package func check(
    on surface: String, _ policy: PresentationSurfaces.Policy, _ find: (PresentationID) -> Presentation?
  ) throws(PresentationRejection) {
    guard let only = scope.only else { return }
    guard let presentation = find(only), presentation.request.surface == surface,
      presentation.requester.process.owner == process.owner
    else { throw .notOpen }
    try presentation.checkAnswer(by: resolver, policy)
  }
}
