import RouterCore
import TestSupport
import Testing

extension RuleTests {
  @Test func `lets no agent that has asked lately answer or end the daemon's own prompts`() throws {
    let daemon = ProcessIdentity(uid: 1, gid: 1, pid: 5, ancestry: [.init(pid: 5, started: 50)])
    var scene = Scene()
    scene.surfaces.policy.own = daemon
    try ask("a", nil, in: &scene) {
      $0.draft.agent = 50
      $0.draft.remember = nil
    }
    try ask("b", nil, in: &scene) {
      $0.requester.process = daemon
      $0.draft.remember = nil
    }
    _ = try scene.handle(.change(PresentationID(name: "a"), Verbs.Dismiss(), by: .user(1)))
    func answer(_ ancestry: [ProcessIdentity.Ancestor]?) throws -> [String] {
      let by = Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 1, pid: 70, ancestry: ancestry))
      return try scene.handle(.change(PresentationID(name: "b"), Verbs.Answer(.button("a")), by: by))
    }
    #expect(throws: PresentationRejection.agentAnswer) { try answer([.init(pid: 70, started: 700), Self.agent, Self.shell]) }
    #expect(throws: PresentationRejection.agentAnswer) { try answer(nil) }
    // To end it also means no.
    let agent = Presentation.Responder(
      process: ProcessIdentity(
        uid: 1, gid: 1, pid: 70, ancestry: [.init(pid: 70, started: 700), Self.agent, Self.shell]))
    let b = PresentationID(name: "b")
    for input in [
      PresentationInput.change(b, Verbs.Dismiss(), by: agent), .change(b, Verbs.Snooze(for: .seconds(60)), by: agent),
      .change(b, Verbs.Cancel(), by: agent, isAdmin: true), .change(b, Verbs.Fail(""), by: agent),
    ] {
      #expect(throws: PresentationRejection.agentAnswer) { try scene.handle(input) }
    }
    #expect(throws: PresentationRejection.agentAnswer) {
      try ask("d", nil, in: &scene) {
        $0.requester.process = agent.process
        $0.draft.remember = nil
        $0.draft.options.conflictPolicy = .cancelPrevious
      }
    }
    // A later process with the agent's id is not the agent.
    var later = scene
    let reused = Presentation.Responder(
      process: ProcessIdentity(uid: 1, gid: 1, pid: 70, ancestry: [.init(pid: 70, started: 700), .init(pid: 50, started: 501)]))
    #expect(try later.handle(.change(PresentationID(name: "b"), Verbs.Answer(.button("a")), by: reused)) == ["b answered"])
    // Rules cannot keep people from that prompt, and an agent above the daemon is a service manager.
    let never = try Self.rule(#"{"id": "never", "match": {"surface": "**"}, "then": "deny"}"#)
    _ = try scene.handle(.loadRules(Event.RulesLoaded(RuleSet(file: "/r", text: "never", rules: [never]))))
    #expect(
      try ask("c", nil, in: &scene) {
        $0.requester.process = daemon
        $0.draft.remember = nil
      } == ["c requested"])
    var above = scene
    above.surfaces.policy.own = ProcessIdentity(uid: 1, gid: 1, pid: 5, ancestry: [.init(pid: 5, started: 50), Self.agent])
    let child = Presentation.Responder(
      process: ProcessIdentity(uid: 1, gid: 1, pid: 70, ancestry: [.init(pid: 70, started: 700), Self.agent]))
    #expect(
      try above.handle(.change(PresentationID(name: "b"), Verbs.Answer(.button("a")), by: child)).first == "b answered")
    scene.wait(86_400)
    #expect(try answer([.init(pid: 70, started: 700), Self.agent, Self.shell]).first == "b answered")
  }
}
