import Testing

@testable import Router

/// The agent that a request names must not answer it, nor anything that the agent started.
struct AgentRuleTests {
  private let id = PresentationID(name: "a")
  private let agent = ProcessAncestor(pid: 50, started: 500, executable: "/usr/bin/agent")
  private let shell = ProcessAncestor(pid: 10, started: 100, executable: "/bin/bash")

  private func resolver(_ ancestry: [ProcessAncestor]) -> Resolver {
    Resolver(process: ProcessIdentity(uid: 1, gid: 1, pid: ancestry.first?.pid ?? 9, ancestry: ancestry))
  }

  private func child(_ pid: Int32) -> ProcessAncestor { ProcessAncestor(pid: pid, started: 900) }

  /// A presenter shows what the agent asks through a front end.
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

  @Test func `the agent and its children can neither answer nor dismiss`() throws {
    var scene = try scene()
    for own in [[agent, shell], [child(70), agent, shell], [child(71), child(70), agent, shell]] {
      #expect(throws: PresentationRejection.agentAnswer) {
        try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver(own)))
      }
      #expect(throws: PresentationRejection.agentAnswer) {
        try scene.handle(.dismiss(id, generation: nil, by: resolver(own)))
      }
    }
    // The shell in which the agent was started is the person's.
    #expect(try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver([child(70), shell]))) == ["a answered"])
  }

  @Test func `another process with the agent's id may answer`() throws {
    var scene = try scene()
    let other = ProcessAncestor(pid: agent.pid, started: agent.started + 1)
    #expect(try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver([child(70), other]))) == ["a answered"])
  }

  @Test func `who cannot be told from the agent may not answer`() throws {
    var scene = try scene()
    let deep = (0..<ProcessAncestor.limit).map { child(Int32(100 + $0)) }
    for unknown in [[], deep] {
      #expect(throws: PresentationRejection.agentAnswer) {
        try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver(unknown)))
      }
    }
  }

  @Test func `a request may only name its own process or one above it`() throws {
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

  @Test func `the rule holds after a restart`() throws {
    var scene = try scene(attached: false)
    scene.restart()
    scene.attach(1)
    #expect(throws: PresentationRejection.agentAnswer) {
      try scene.handle(.answer(id, generation: nil, .button("ok"), by: resolver([agent, shell])))
    }
  }
}
