extension PresentationInput {
  /// Checks the rules against self-answers: the setting `forbidSelfAnswer`, and a request's `agent`.
  ///
  /// An agent and its descendants may dismiss or snooze a prompt: that permits nothing, and a prompt with a wrong `agent` must not
  /// hold the surface. They may not answer, raise, fail, cancel or finish it, except for the process that asked, which may withdraw it.
  package func checkSelfAnswer(
    _ policy: PresentationSurfaces.Policy, _ find: (PresentationID) -> Presentation?
  ) throws(PresentationRejection) {
    switch act {
    case .answer(let id, let resolver): try find(id)?.checkAnswer(by: resolver, policy)
    case .dismissal(let id, let resolver): try find(id)?.checkAct(by: resolver, policy)
    case .withdrawal(let id, let resolver):
      guard let presentation = find(id), presentation.isGuarded(from: resolver.process),
        !resolver.process.isSameProcess(as: presentation.requester.process)
      else { return }
      throw .agentAnswer
    case .none: break
    }
  }
}

extension Presentation {
  func checkAnswer(
    by resolver: Presentation.Responder?, _ policy: PresentationSurfaces.Policy
  ) throws(PresentationRejection) {
    try checkAct(by: resolver, policy)
    if let resolver, isGuarded(from: resolver.process) { throw .agentAnswer }
  }

  /// Checks the setting. Answers and dismissals both claim that a person acted.
  fileprivate func checkAct(
    by resolver: Presentation.Responder?, _ policy: PresentationSurfaces.Policy
  ) throws(PresentationRejection) {
    guard let resolver else { return }
    let (rule, requester) = (policy.selfAnswer, requester.process)
    let isOwnUser = policy.people.accounts(with: requester.owner).contains(resolver.process.owner)
    if rule == .user ? isOwnUser : rule.forbids(resolver.process, toAnswer: requester) { throw .selfAnswer(rule) }
    // Where several people must answer, the user who asks is none of them.
    if request.require != nil, isOwnUser { throw .ownApproval }
  }

  /// Whether a process is the agent that asked, or may descend from it.
  func isGuarded(from process: ProcessIdentity) -> Bool { requester.isGuarded(request.agent, from: process) }
}

extension Presentation.Requester {
  /// Whether a process is the agent that asks, or may descend from it.
  func isGuarded(_ agent: Int32?, from process: ProcessIdentity) -> Bool {
    guard let agent = agent.flatMap(self.process.ancestor), process.host == self.process.host else { return false }
    return process.mayDescend(from: agent)
  }
}

extension PresenterIdentity {
  /// Checks that a presenter of one presentation is its own user's, and may answer it.
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

extension PresentationSurfaces {
  /// Checks that a request names one of its user's own processes as its agent. Every process descends from process 1, and many
  /// users' processes from one of another user, such as a login service: nobody could answer.
  static func checkAgent(of ask: PresentationAsk) throws(PresentationRejection) {
    guard let pid = ask.request.agent else { return }
    guard let agent = ask.requester.process.ancestor(pid) else {
      throw .invalid(JSONError("must be the requester's process or one above it", at: "/agent"))
    }
    let advice = "name the agent's own process, or leave it out"
    if pid == 1 {
      throw .invalid(JSONError("must not be process 1, from which all processes descend; \(advice)", at: "/agent"))
    }
    if let uid = agent.uid, uid != ask.requester.process.uid {
      throw .invalid(JSONError("must be a process of the requester's user, not of uid \(uid); \(advice)", at: "/agent"))
    }
  }
}
