import Router
import Testing

/// An agent named by a request can neither answer nor end it, and neither can the agent's descendants.
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

  enum Kind: CaseIterable {
    case request, answer, dismiss, snooze, wake, raise, pauseSession, endPause, fail, cancel, finish, revoke, loadRules, detach,
      requesterGone, claim,
      presenterAttached,
      presenterDetached
  }

  /// Does not compile without a case for every input. Give a new one a kind and, below, an effect.
  private static func kind(of input: PresentationInput) -> Kind {
    switch input {
    case .request: .request
    case .answer: .answer
    case .dismiss: .dismiss
    case .snooze: .snooze
    case .wake: .wake
    case .raise: .raise
    case .pauseSession: .pauseSession
    case .endPause: .endPause
    case .fail: .fail
    case .cancel: .cancel
    case .finish: .finish
    case .revoke: .revoke
    case .loadRules: .loadRules
    case .detach: .detach
    case .requesterGone: .requesterGone
    case .claim: .claim
    case .presenterAttached: .presenterAttached
    case .presenterDetached: .presenterDetached
    }
  }

  /// What an input of the agent's descendant does to the agent's own prompt.
  private enum Effect {
    case refused, dismissed, snoozed
    /// It stays open.
    case none
    /// The connection that asked was closed, which no other process can do.
    case ofOwnConnection
  }

  private static func effect(of kind: Kind) -> Effect {
    switch kind {
    case .answer, .wake, .raise, .endPause, .fail, .cancel, .finish: .refused
    case .dismiss: .dismissed
    case .snooze, .pauseSession: .snoozed
    case .request, .revoke, .loadRules, .detach, .claim, .presenterAttached, .presenterDetached: .none
    case .requesterGone: .ofOwnConnection
    }
  }

  private func inputs(_ kind: Kind, by agent: Presentation.Responder) -> [PresentationInput] {
    let presenter = PresenterIdentity(name: "own", process: agent.process, since: Timestamp(milliseconds: 0))
    return switch kind {
    case .request:
      PresentationOptions.ConflictPolicy.allCases.flatMap { policy in
        [false, true].map { isAdmin in
          var ask = PresentationAsk(PresentationID(name: "b"))
          ask.requester.process = agent.process
          ask.draft.conflictPolicy = policy
          ask.draft.priority = .critical
          ask.isAdmin = isAdmin
          return .request(ask)
        }
      }
    case .answer: [.answer(id, generation: nil, .value(1), by: agent)]
    case .dismiss: [.dismiss(id, generation: nil, by: agent)]
    case .snooze: [.snooze(id, generation: nil, for: .seconds(10), by: agent)]
    case .wake: [.wake(id, by: agent)]
    case .raise: [.raise(id, by: agent)]
    case .pauseSession: [.pauseSession(id, for: .seconds(10), by: agent)]
    case .endPause: [.endPause(id, by: agent)]
    case .fail: [.fail(id, generation: nil, detail: "no", by: agent)]
    case .cancel: [false, true].map { .cancel(id, by: agent, isAdmin: $0) }
    case .finish: [false, true].map { .finish(id, by: agent, isAdmin: $0) }
    case .revoke, .loadRules: []
    case .detach: [.detach(id)]
    case .requesterGone: [.requesterGone(id, .requesterGone)]
    case .claim: [.claim(id)]
    case .presenterAttached: [.presenterAttached(PresenterID(7), presenter, surface: "main")]
    case .presenterDetached: [.presenterDetached(PresenterID(7), surface: "main")]
    }
  }

  @Test(arguments: Kind.allCases) func `decides for every input whether the agent's descendants may use it`(kind: Kind) throws {
    for agent in agents {
      for input in inputs(kind, by: agent) {
        #expect(Self.kind(of: input) == kind)
        // A flow with an answer can be finished; other requests can be detached.
        var scene = try scene(flow: kind == .finish)
        if kind == .finish { try scene.answer("a", with: .value(2)) }
        if kind == .presenterDetached {
          let own = PresenterIdentity(name: "own", process: agent.process, since: Timestamp(milliseconds: 0))
          try scene.handle(.presenterAttached(PresenterID(7), own, surface: "main"))
        }
        if kind == .endPause {
          let person = Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 1, pid: 7))
          try scene.handle(.pauseSession(id, for: .seconds(10), by: person))
        }
        let before = scene.surfaces.entry(id)?.presentation
        switch Self.effect(of: kind) {
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
    }
  }

  @Test func `lets the process that asked withdraw, supersede and finish its request`() throws {
    var scene = try scene()
    #expect(try scene.handle(.cancel(id, by: requester, isAdmin: false)) == ["a cancelled/requester"])
    scene = try self.scene()
    let process = requester.process
    try scene.ask("b") {
      $0.requester.process = process
      $0.draft.conflictPolicy = .cancelPrevious
    }
    #expect(scene.surfaces.entry(id) == nil)
    scene = try self.scene(flow: true)
    try scene.answer("a", with: .value(2))
    #expect(try scene.handle(.finish(id, by: requester, isAdmin: false)) == ["a answered"])
    // It is the agent's process all the same.
    scene = try self.scene()
    for input: PresentationInput in [
      .answer(id, generation: nil, .button("ok"), by: requester), .fail(id, generation: nil, detail: "no", by: requester),
    ] {
      #expect(throws: PresentationRejection.agentAnswer) { try scene.handle(input) }
    }
  }

  @Test func `lets the person do everything, from the shell that started the agent`() throws {
    for kind in [Kind.answer, .dismiss, .fail, .cancel, .finish] {
      for input in inputs(kind, by: resolver([person, shell])) {
        var scene = try scene(flow: true)
        try scene.answer("a", with: .value(2))
        #expect(throws: Never.self) { try scene.handle(input) }
      }
    }
  }

  @Test func `refuses a process that reuses the id of the one that asked`() throws {
    var scene = try scene()
    let other = ProcessIdentity.Ancestor(pid: 60, started: 901)
    #expect(throws: PresentationRejection.agentAnswer) {
      try scene.handle(.cancel(id, by: resolver([other, agent, shell]), isAdmin: false))
    }
  }

  @Test(arguments: [SelfAnswerRule.process, .user])
  func `applies forbidSelfAnswer to failures, and not to withdrawals`(rule: SelfAnswerRule) throws {
    var scene = Scene()
    scene.surfaces.policy.selfAnswer = rule
    try scene.ask("a")
    #expect(throws: PresentationRejection.selfAnswer(rule)) {
      try scene.handle(.fail(id, generation: nil, detail: "no", by: .user(1)))
    }
    #expect(try scene.cancel("a") == ["a cancelled/requester"])
  }

  // MARK: Who is the agent

  @Test func `accepts an answer from another process with the agent's reused id`() throws {
    var scene = try scene()
    let other = ProcessIdentity.Ancestor(pid: agent.pid, started: agent.started + 1)
    #expect(try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver([child(70), other]))) == ["a answered"])
  }

  @Test func `rejects an answer from a process that may descend from the agent`() throws {
    var scene = try scene()
    let deep = (0..<ProcessIdentity.Ancestor.limit).map { child(Int32(100 + $0)) }
    for unknown in [[], deep] {
      #expect(throws: PresentationRejection.agentAnswer) {
        try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver(unknown)))
      }
      #expect(throws: PresentationRejection.agentAnswer) {
        try scene.handle(.cancel(id, by: resolver(unknown), isAdmin: false))
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
    for kind in [Kind.answer, .fail, .cancel] {
      for input in inputs(kind, by: agents[1]) {
        #expect(throws: PresentationRejection.agentAnswer) { try scene.handle(input) }
      }
    }
  }
}
