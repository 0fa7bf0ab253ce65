import RouterCore
import TestSupport
import Testing

/// An agent named by a request can neither answer nor end it, and neither can the agent's descendants.
/// Promise P41.
struct AgentRuleTests {
  private let id = PresentationID(name: "a")
  private let agent = ProcessIdentity.Ancestor(pid: 50, started: 500, executable: "/usr/bin/agent")
  private let shell = ProcessIdentity.Ancestor(pid: 10, started: 100, executable: "/bin/bash")
  private let person = ProcessIdentity.Ancestor(pid: 70, started: 900)

  private func resolver(_ ancestry: [ProcessIdentity.Ancestor]) -> Presentation.Responder {
    Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 1, pid: ancestry.first?.pid ?? 9, ancestry: ancestry))
  }

  private func child(_ pid: Int32) -> ProcessIdentity.Ancestor { ProcessIdentity.Ancestor(pid: pid, started: 900) }

  /// The processes of the agent, other than the one that asked.
  private var agents: [Presentation.Responder] {
    [[agent, shell], [child(70), agent, shell], [child(71), child(70), agent, shell]].map(resolver)
  }

  private var requester: Presentation.Responder { resolver([child(60), agent, shell]) }

  /// A presenter shows the agent's request, made through a front end.
  private func scene(attached: Bool = true, flow: Bool = false) throws -> Scene {
    var scene = Scene()
    let process = requester.process
    try scene.ask("a") {
      if flow { $0.makeFlow() }
      $0.requester.process = process
      $0.draft.agent = 50
      $0.attached = attached
    }
    return scene
  }

  // MARK: Every kind of input

  /// What an input of the agent's descendant does to the agent's own prompt.
  private enum Effect {
    case refused, dismissed, snoozed
    /// It stays open.
    case none
    /// The connection that asked was closed, which no other process can do.
    case ofOwnConnection
  }

  /// Give a new verb an example and an effect.
  private static let verbs: [(verb: any Verb, effect: Effect)] = [
    (Verbs.Answer(.value(1)), .refused), (Verbs.Dismiss(), .dismissed), (Verbs.Snooze(for: .seconds(10)), .snoozed),
    (Verbs.Wake(), .refused), (Verbs.Raise(), .refused), (Verbs.PauseSession(for: .seconds(10)), .snoozed),
    (Verbs.Fail("no"), .refused), (Verbs.Cancel(), .refused), (Verbs.Finish(), .refused), (Verbs.Detach(), .none),
    (Verbs.RequesterGone(.requesterGone), .ofOwnConnection), (Verbs.Claim(), .none),
  ]

  private func check(_ input: PresentationInput, _ effect: Effect, in scene: Scene) throws {
    var scene = scene
    let before = scene.surfaces.entry(id)?.presentation
    switch effect {
    case .refused:
      #expect(throws: PresentationRejection.agentAnswer) { try scene.handle(input) }
      #expect(scene.surfaces.entry(id)?.presentation == before)
    case .dismissed: #expect(try scene.handle(input) == ["a dismissed"])
    case .snoozed: #expect(try scene.handle(input) == ["a withdrawn 1 snoozed"])
    case .none:
      let changes = try scene.handle(input)
      #expect(scene.surfaces.entry(id)?.isShown == true, "\(changes)")
    case .ofOwnConnection: #expect(try scene.handle(input) == ["a cancelled/requesterGone"])
    }
  }

  @Test func `decides for every verb whether the agent's descendants may use it`() throws {
    #expect(Set(Self.verbs.map { type(of: $0.verb).name }) == Set(Verbs.all.map { $0.name }))
    for (agent, (verb, effect)) in agents.flatMap({ agent in Self.verbs.map { (agent, $0) } }) {
      for isAdmin in [false, true] {
        // A flow with an answer can be finished; other requests can be detached.
        var scene = try scene(flow: verb is Verbs.Finish)
        if verb is Verbs.Finish { try scene.answer("a", with: .value(2)) }
        let by = type(of: verb).guarded == .connection ? nil : agent
        try check(.change(id, verb, by: by, isAdmin: isAdmin), effect, in: scene)
      }
    }
  }

  @Test func `decides for other inputs whether the agent's descendants may use them`() throws {
    for agent in agents {
      for (policy, isAdmin) in PresentationOptions.ConflictPolicy.allCases.flatMap({ [($0, false), ($0, true)] }) {
        var ask = PresentationAsk(PresentationID(name: "b"))
        ask.requester.process = agent.process
        ask.draft.conflictPolicy = policy
        ask.draft.priority = .critical
        ask.isAdmin = isAdmin
        try check(.request(ask), .none, in: try scene())
      }
      let own = PresenterIdentity(name: "own", process: agent.process, since: Timestamp(milliseconds: 0))
      let attached = PresentationInput.presenterAttached(PresenterID(7), own, surface: "main")
      try check(attached, .none, in: try scene())
      var scene = try scene()
      try scene.handle(attached)
      try check(.presenterDetached(PresenterID(7), surface: "main"), .none, in: scene)
      let person = Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 1, pid: 7))
      try scene.handle(.change(id, Verbs.PauseSession(for: .seconds(10)), by: person))
      try check(.endPause(id, by: agent), .refused, in: scene)
    }
  }

  @Test func `lets the process that asked withdraw, supersede and finish its request`() throws {
    var scene = try scene()
    #expect(try scene.handle(.change(id, Verbs.Cancel(), by: requester)) == ["a cancelled/requester"])
    scene = try self.scene()
    let process = requester.process
    try scene.ask("b") {
      $0.requester.process = process
      $0.draft.conflictPolicy = .cancelPrevious
    }
    #expect(scene.surfaces.entry(id) == nil)
    scene = try self.scene(flow: true)
    try scene.answer("a", with: .value(2))
    #expect(try scene.handle(.change(id, Verbs.Finish(), by: requester)) == ["a answered"])
    // It is the agent's process all the same.
    scene = try self.scene()
    for input: PresentationInput in [
      .change(id, Verbs.Answer(.button("ok")), by: requester), .change(id, Verbs.Fail("no"), by: requester),
    ] {
      #expect(throws: PresentationRejection.agentAnswer) { try scene.handle(input) }
    }
  }

  @Test func `lets the person do everything, from the shell that started the agent`() throws {
    for (verb, effect) in Self.verbs where effect == .refused || effect == .dismissed {
      var scene = try scene(flow: true)
      if verb is Verbs.Finish { try scene.answer("a", with: .value(2)) }
      #expect(throws: Never.self) { try scene.handle(.change(id, verb, by: resolver([person, shell]))) }
    }
  }

  @Test func `refuses a process that reuses the id of the one that asked`() throws {
    var scene = try scene()
    let other = ProcessIdentity.Ancestor(pid: 60, started: 901)
    #expect(throws: PresentationRejection.agentAnswer) {
      try scene.handle(.change(id, Verbs.Cancel(), by: resolver([other, agent, shell])))
    }
  }

  @Test(arguments: [SelfAnswerRule.process, .user])
  func `applies forbidSelfAnswer to failures, and not to withdrawals`(rule: SelfAnswerRule) throws {
    var scene = Scene()
    scene.surfaces.policy.selfAnswer = rule
    try scene.ask("a")
    #expect(throws: PresentationRejection.selfAnswer(rule)) {
      try scene.handle(.change(id, Verbs.Fail("no"), by: .user(1)))
    }
    #expect(try scene.cancel("a") == ["a cancelled/requester"])
  }

  // MARK: Who is the agent

  @Test func `accepts an answer from another process with the agent's reused id`() throws {
    var scene = try scene()
    let other = ProcessIdentity.Ancestor(pid: agent.pid, started: agent.started + 1)
    #expect(try scene.handle(.change(id, Verbs.Answer(.button("ok")), by: resolver([child(70), other]))) == ["a answered"])
  }

  @Test func `rejects an answer from a process that may descend from the agent`() throws {
    var scene = try scene()
    let deep = (0..<ProcessIdentity.Ancestor.limit).map { child(Int32(100 + $0)) }
    for unknown in [[], deep] {
      #expect(throws: PresentationRejection.agentAnswer) {
        try scene.handle(.change(id, Verbs.Answer(.button("ok")), by: resolver(unknown)))
      }
      #expect(throws: PresentationRejection.agentAnswer) {
        try scene.handle(.change(id, Verbs.Cancel(), by: resolver(unknown)))
      }
    }
  }

  @Test func `lets a request name only its own process or an ancestor, of the same user, and not process 1`() throws {
    var root = ProcessIdentity.Ancestor(pid: 40, started: 300)
    root.uid = 0
    let initial = ProcessIdentity.Ancestor(pid: 1, started: 0)
    let requester = resolver([child(60), agent, root, initial]).process
    let refused: [(Int32, String)] = [
      (10, "must be the requester's process or one above it"),
      (1, "must not be process 1, from which all processes descend; name the agent's own process, or leave it out"),
      (40, "must be a process of the requester's user, not of uid 0; name the agent's own process, or leave it out"),
    ]
    for (pid, message) in refused {
      var scene = Scene()
      #expect(throws: PresentationRejection.invalid(JSONError(message, at: "/agent"))) {
        try scene.ask("a") {
          $0.requester.process = requester
          $0.draft.agent = pid
        }
      }
    }
    #expect(throws: JSONError.self) { try PresentationRequest(json: ["kind": "alert", "title": "x", "agent": 0]) }
  }

  @Test func `enforces the rule after a restart`() throws {
    var scene = try scene(attached: false)
    scene.restart()
    scene.attach(1)
    for (verb, effect) in Self.verbs where effect == .refused {
      #expect(throws: PresentationRejection.agentAnswer) { try scene.handle(.change(id, verb, by: agents[1])) }
    }
  }
}
