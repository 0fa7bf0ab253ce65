import Testing

@testable import Router

/// An agent named by a request cannot answer it, and neither can the agent's descendants.
struct AgentRuleTests {
  private let id = PresentationID(name: "a")
  private let agent = ProcessAncestor(pid: 50, started: 500, executable: "/usr/bin/agent")
  private let shell = ProcessAncestor(pid: 10, started: 100, executable: "/bin/bash")

  private func resolver(_ ancestry: [ProcessAncestor]) -> Resolver {
    Resolver(process: ProcessIdentity(uid: 1, gid: 1, pid: ancestry.first?.pid ?? 9, ancestry: ancestry))
  }

  private func child(_ pid: Int32) -> ProcessAncestor { ProcessAncestor(pid: pid, started: 900) }

  /// A presenter shows the agent's request, made through a front end.
  private func scene(attached: Bool = true) throws -> Scene {
    var scene = Scene()
    let requester = resolver([child(60), agent, shell]).process
    try scene.ask("a") {
      $0.requester.process = requester
      $0.request.agent = 50
      $0.attached = attached
    }
    return scene
  }

  @Test func `rejects answers and dismissals from the agent and its descendants`() throws {
    var scene = try scene()
    for own in [[agent, shell], [child(70), agent, shell], [child(71), child(70), agent, shell]] {
      #expect(throws: PresentationRejection.agentAnswer) {
        try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver(own)))
      }
      #expect(throws: PresentationRejection.agentAnswer) {
        try scene.handle(.dismiss(id, generation: nil, by: resolver(own)))
      }
    }
    // The agent's parent shell belongs to the person.
    #expect(try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver([child(70), shell]))) == ["a answered"])
  }

  @Test func `accepts an answer from another process with the agent's reused id`() throws {
    var scene = try scene()
    let other = ProcessAncestor(pid: agent.pid, started: agent.started + 1)
    #expect(try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver([child(70), other]))) == ["a answered"])
  }

  @Test func `rejects an answer from a process that may descend from the agent`() throws {
    var scene = try scene()
    let deep = (0..<ProcessAncestor.limit).map { child(Int32(100 + $0)) }
    for unknown in [[], deep] {
      #expect(throws: PresentationRejection.agentAnswer) {
        try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver(unknown)))
      }
    }
  }

  @Test func `lets a request name only its own process or an ancestor`() throws {
    var scene = Scene()
    let requester = resolver([child(60), agent]).process
    #expect(
      throws: PresentationRejection.invalid(JSONError("must be the requester's process or one above it", at: "/agent"))
    ) {
      try scene.ask("a") {
        $0.requester.process = requester
        $0.request.agent = 10
      }
    }
    #expect(throws: JSONError.self) { try PresentationRequest(json: ["kind": "alert", "title": "x", "agent": 0]) }
  }

  @Test func `enforces the rule after a restart`() throws {
    var scene = try scene(attached: false)
    scene.restart()
    scene.attach(1)
    #expect(throws: PresentationRejection.agentAnswer) {
      try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver([agent, shell])))
    }
  }
}
