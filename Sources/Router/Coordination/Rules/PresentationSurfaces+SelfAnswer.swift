extension PresentationSurfaces {
  /// Checks the rules against self-answers: the setting `forbidSelfAnswer`, and a request's `agent`.
  ///
  /// An agent and its descendants may dismiss a prompt: a dismissal permits nothing, and a prompt with a wrong `agent` must not
  /// hold the surface. They may not answer, fail, cancel or finish it, except for the process that asked, which may withdraw it.
  func checkSelfAnswer(_ input: PresentationInput) throws(PresentationRejection) {
    switch input.act {
    case .answer(let id, let resolver): try checkAnswer(to: id, by: resolver)
    case .dismissal(let id, let resolver): try checkSetting(id, resolver)
    case .withdrawal(let id, let resolver):
      guard let presentation = entry(id)?.presentation, presentation.isGuarded(from: resolver.process),
        !resolver.process.isSameProcess(as: presentation.requester.process)
      else { return }
      throw .agentAnswer
    case .none: break
    }
  }

  func checkAnswer(to id: PresentationID, by resolver: Resolver?) throws(PresentationRejection) {
    try checkSetting(id, resolver)
    if let presentation = entry(id)?.presentation, let resolver, presentation.isGuarded(from: resolver.process) {
      throw .agentAnswer
    }
  }

  /// Answers and dismissals both claim that a person acted.
  private func checkSetting(_ id: PresentationID, _ resolver: Resolver?) throws(PresentationRejection) {
    guard let requester = entry(id)?.presentation.requester.process, let resolver else { return }
    if selfAnswer.forbids(resolver.process, toAnswer: requester) { throw .selfAnswer(selfAnswer) }
  }

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

extension Presentation {
  /// Whether a process is the agent that asked, or may descend from it.
  func isGuarded(from process: ProcessIdentity) -> Bool {
    guard let agent = request.agent.flatMap(requester.process.ancestor), process.host == requester.process.host else {
      return false
    }
    return process.mayDescend(from: agent)
  }
}
