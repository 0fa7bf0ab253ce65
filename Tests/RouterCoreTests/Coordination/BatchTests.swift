import OrderedCollections
import RouterCore
import TestSupport
import Testing

/// One answer to several prompts: the rules, in sentences.
struct BatchTests {
  private let person = Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 1, pid: 7), presenter: "p1")

  private func ask(
    _ name: Character, in scene: inout Scene, _ fill: (inout PresentationAsk) -> Void = { _ in }
  ) throws {
    try scene.ask(name) {
      $0.draft.act = Act("Bash", object: "npm test \(name)")
      $0.draft.buttons = [.init(id: "yes", label: "Yes"), .init(id: "no", label: "No", role: .cancel)]
      fill(&$0)
    }
  }

  private func answer(
    _ name: Character, also others: [Character], generation: Int? = nil, comment: String? = nil, in scene: inout Scene,
    by resolver: Presentation.Responder? = nil
  ) throws(PresentationRejection) -> [String] {
    var extra = AnswerExtra(comment: comment)
    for other in others { extra.also[PresentationID(name: other)] = Act("Bash", object: "npm test \(other)").digest }
    let id = PresentationID(name: name)
    return try scene.handle(.change(id, Verbs.Answer(.button("yes"), extra), generation: generation, by: resolver ?? person))
  }

  @Test func `answers the shown prompt and those that wait in one decision, each with its own outcome`() throws {
    var scene = Scene()
    for name in ["a", "b", "c", "d"] as [Character] { try ask(name, in: &scene) }
    #expect(
      try answer("a", also: ["b", "d"], comment: "go on", in: &scene) == [
        "a answered", "b answered", "d answered", "c presented 1",
      ])
    let ends = scene.events.suffix(4).compactMap { event in
      if case .resolved(let end) = event.detail { end } else { nil }
    }
    #expect(ends.map(\.because) == [nil, .with(PresentationID(name: "a")), .with(PresentationID(name: "a"))])
    #expect(ends.allSatisfy { $0.by == person && $0.extra.comment == "go on" && $0.extra.also.isEmpty })
    #expect(Set(scene.events.suffix(4).map(\.at)).count == 1)
  }

  @Test func `leaves alone what has ended, was snoozed or asks for something else`() throws {
    var scene = Scene()
    for name in ["a", "b", "c", "d"] as [Character] { try ask(name, in: &scene) }
    try ask("e", in: &scene) { $0.draft.act = Act("Bash", object: "rm -r /") }
    try scene.cancel("b")
    try scene.handle(.change(PresentationID(name: "c"), Verbs.Raise(), by: person))
    try scene.handle(.change(PresentationID(name: "c"), Verbs.Snooze(for: .seconds(60)), by: person))
    #expect(try answer("a", also: ["b", "c", "d", "e"], in: &scene) == ["a answered", "d answered", "e presented 1"])
  }

  @Test func `refuses a stale answer as a whole`() throws {
    var scene = Scene()
    for name in ["a", "b"] as [Character] { try ask(name, in: &scene) }
    #expect(throws: PresentationRejection.staleGeneration(1)) {
      try answer("a", also: ["b"], generation: 7, in: &scene)
    }
    #expect(scene.ordered() == "ab")
  }

  static let differences: [(String, @Sendable (inout PresentationAsk) -> Void)] = [
    ("verb", { $0.draft.act = Act("Edit", object: "npm test b") }),
    ("app", { $0.requester.app = "codex" }),
    ("act", { $0.draft.act = nil }),
    ("buttons", { $0.draft.buttons[0].label = "Always" }),
    ("destructive", { $0.draft.buttons[0].role = .destructive }),
    ("sensitive", { $0.draft.sensitive = true }),
    ("priority", { $0.draft.priority = .critical }),
    ("severity", { $0.draft.severity = .critical }),
  ]

  @Test(arguments: differences.indices)
  func `refuses a prompt that is not like the answered one, whichever of them is special`(index: Int) throws {
    let (name, change) = Self.differences[index]
    for special in ["a", "b"] as [Character] {
      var scene = Scene()
      try ask("x", in: &scene)
      try ask("a", in: &scene) { if special == "a" { change(&$0) } }
      try ask("b", in: &scene) { if special == "b" { change(&$0) } }
      _ = try scene.handle(.change(PresentationID(name: "a"), Verbs.Raise(), by: person))
      let error = #expect(throws: PresentationRejection.self, "\(name)") { try answer("a", also: ["b"], in: &scene) }
      #expect(error?.field == "/also/\(PresentationID(name: "b"))", "\(name)")
      #expect(scene.surfaces.state.surfaces["main"]?.count == 3)
    }
  }

  @Test func `refuses an agent that answers its own prompt along with another's`() throws {
    var scene = Scene()
    try ask("a", in: &scene)
    let agent = ProcessIdentity.Ancestor(pid: 50, started: 500, executable: "/usr/bin/agent")
    try scene.ask("b") {
      $0.draft.act = Act("Bash", object: "npm test b")
      $0.draft.buttons = [.init(id: "yes", label: "Yes"), .init(id: "no", label: "No", role: .cancel)]
      $0.draft.agent = 50
      $0.requester.process = ProcessIdentity(uid: 1, gid: 1, pid: 60, ancestry: [agent])
    }
    let own = Presentation.Responder(
      process: ProcessIdentity(uid: 1, gid: 1, pid: 70, ancestry: [agent]), presenter: "p1")
    #expect(throws: PresentationRejection.agentAnswer) { try answer("a", also: ["b"], in: &scene, by: own) }
    #expect(scene.ordered() == "ab")
  }

  @Test func `refuses an agent that answers the daemon's own prompt along with one of its user`() throws {
    var scene = Scene()
    let daemon = ProcessIdentity(uid: 1, gid: 1, pid: 5, ancestry: [.init(pid: 5, started: 50)])
    let agent = ProcessIdentity.Ancestor(pid: 50, started: 500, executable: "/usr/bin/agent")
    scene.surfaces.policy.own = daemon
    // The agent has asked lately, so that it is known as one.
    try ask("x", in: &scene) {
      $0.draft.agent = 50
      $0.requester.process = ProcessIdentity(uid: 1, gid: 1, pid: 60, ancestry: [agent])
    }
    try scene.dismiss("x")
    try ask("a", in: &scene)
    try ask("b", in: &scene) { $0.requester.process = daemon }
    let own = Presentation.Responder(
      process: ProcessIdentity(uid: 1, gid: 1, pid: 70, ancestry: [.init(pid: 70, started: 700), agent]), presenter: "p1")
    #expect(throws: PresentationRejection.agentAnswer) { try answer("a", also: ["b"], in: &scene, by: own) }
    #expect(scene.ordered() == "ab")
    #expect(try answer("a", also: [], in: &scene, by: own) == ["a answered", "b presented 1"])
  }
}
