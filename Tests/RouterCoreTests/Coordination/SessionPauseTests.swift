import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

/// Pausing a session: the rules, in sentences.
struct SessionPauseTests {
  private let person = Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 1, pid: 7), presenter: "p1")

  private func pause(_ name: Character, _ seconds: Int = 60) -> PresentationInput {
    .change(PresentationID(name: name), Verbs.PauseSession(for: .seconds(seconds)), by: person)
  }

  private func endPause(_ name: Character) -> PresentationInput { .endPause(PresentationID(name: name), by: person) }

  /// Adds a prompt of an agent's session.
  @discardableResult private func ask(
    _ name: Character, _ session: String, over parent: Character? = nil, in scene: inout Scene
  ) throws -> [String] {
    try scene.ask(name, over: parent) { $0.draft.options.metadata = [AgentLabel.session: session] }
  }

  @Test func `lets all prompts of a session wait, also those that it asks for meanwhile`() throws {
    var scene = Scene()
    for (name, session) in [("a", "s1"), ("b", "s2"), ("c", "s1")] as [(Character, String)] {
      try ask(name, session, in: &scene)
    }
    #expect(try scene.handle(pause("c")) == ["a withdrawn 1 snoozed", "c deferred", "b presented 1"])
    #expect(try ask("d", "s1", in: &scene) == ["d requested", "d deferred"])
    #expect(try ask("e", "s2", in: &scene) == ["e requested"])
    #expect(try scene.answer("b") == ["b answered", "e presented 1"])
    #expect(try scene.answer("e") == ["e answered"])
    #expect(scene.ordered() == "acd")
    #expect(scene.wait(.milliseconds(59_999)) == [])
    #expect(scene.wait(.milliseconds(1)) == ["a woken", "c woken", "d woken", "a presented 2"])
    #expect(try ask("f", "s1", in: &scene) == ["f requested"])
  }

  @Test func `wakes all prompts of the session when a person ends the pause`() throws {
    var scene = Scene()
    try ask("a", "s1", in: &scene)
    try scene.handle(pause("a"))
    try ask("b", "s1", in: &scene)
    #expect(try scene.handle(endPause("a")) == ["a woken", "b woken", "a presented 2"])
    #expect(throws: PresentationRejection.noPause) { try scene.handle(endPause("a")) }
    #expect(try ask("c", "s1", in: &scene) == ["c requested"])
  }

  @Test func `names a pause by its prompt, also after that has ended`() throws {
    var scene = Scene()
    try ask("a", "s1", in: &scene)
    try scene.handle(pause("a"))
    try ask("b", "s1", in: &scene)
    try scene.handle(.change(PresentationID(name: "a"), Verbs.Cancel(), by: .user(1)))
    #expect(try scene.handle(endPause("a")) == ["b woken", "b presented 1"])
  }

  @Test func `replaces the pause of a session, and never shortens the wait of a prompt`() throws {
    var scene = Scene()
    try ask("a", "s1", in: &scene)
    try ask("b", "s1", in: &scene)
    try scene.handle(.change(PresentationID(name: "b"), Verbs.Snooze(for: .seconds(3600)), by: person))
    #expect(try scene.handle(pause("a", 60)) == ["a withdrawn 1 snoozed"])
    #expect(try scene.handle(pause("a", 600)) == ["a deferred"])
    #expect(scene.wait(600) == ["a woken", "a presented 2"])
    #expect(scene.surfaces.entry(PresentationID(name: "b"))?.isSnoozed == true)
  }

  @Test func `takes down a stack, and puts it up again`() throws {
    var scene = Scene()
    try ask("a", "s1", in: &scene)
    try ask("b", "s2", over: "a", in: &scene)
    #expect(
      try scene.handle(pause("a")) == ["b withdrawn 1 snoozed", "a withdrawn 1 snoozed"])
    #expect(
      try scene.handle(endPause("a")) == [
        "a woken", "a presented 2", "a withdrawn 2 covered", "b presented 2 on level 1",
      ])
  }

  @Test func `leaves what is below on the screen`() throws {
    var scene = Scene()
    try ask("a", "s1", in: &scene)
    try ask("b", "s2", over: "a", in: &scene)
    #expect(try scene.handle(pause("b")) == ["b withdrawn 1 snoozed", "a presented 2"])
  }

  @Test func `tells sessions, users, apps and terminals apart`() throws {
    var scene = Scene()
    try ask("a", "s1", in: &scene)
    try scene.handle(pause("a"))
    try scene.ask("b") { $0.requester.process.uid = 2 }
    #expect(scene.stack() == "b")
    try scene.answer("b")
    try scene.ask("c", on: "side") { $0.draft.options.metadata = [AgentLabel.session: "s1"] }
    #expect(scene.surfaces.entry(PresentationID(name: "c"))?.isSnoozed == false)
    try scene.ask("d") { ask in
      ask.draft.options.metadata = [AgentLabel.session: "s1"]
      ask.requester.app = "other"
    }
    #expect(scene.stack() == "d")
  }

  @Test func `lets timeouts run on`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.timeout = .seconds(30) }
    #expect(try scene.handle(pause("a")) == ["a withdrawn 1 snoozed"])
    #expect(scene.wait(30) == ["a expired/queued"])
  }

  @Test(arguments: [0, 9, 86_401]) func `refuses times that are too short or too long`(seconds: Int) throws {
    var scene = Scene()
    try scene.ask("a")
    #expect(throws: PresentationRejection.self) { try scene.handle(pause("a", seconds)) }
    #expect(scene.stack() == "a")
  }

  @Test func `shows a prompt of a paused session that a person wants to see`() throws {
    var scene = Scene()
    try ask("a", "s1", in: &scene)
    try scene.handle(pause("a"))
    #expect(try scene.handle(.change(PresentationID(name: "a"), Verbs.Raise(), by: person)) == ["a presented 2"])
    #expect(try ask("b", "s1", in: &scene) == ["b requested", "b deferred"])
  }

  @Test func `puts off a prompt that waits`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b")
    let snooze = PresentationInput.change(PresentationID(name: "b"), Verbs.Snooze(for: .seconds(10)), by: person)
    #expect(try scene.handle(snooze) == ["b deferred"])
    #expect(try scene.answer("a") == ["a answered"])
    #expect(scene.wait(10) == ["b woken", "b presented 1"])
    let late = PresentationInput.change(PresentationID(name: "c"), Verbs.Snooze(for: .seconds(10)), generation: 1, by: person)
    try scene.ask("c")
    #expect(throws: PresentationRejection.notPresented) { try scene.handle(late) }
  }
}
