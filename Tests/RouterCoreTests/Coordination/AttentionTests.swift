import RouterCore
import TestSupport
import Testing

/// Snoozing and raising: the rules, in sentences.
struct AttentionTests {
  private let person = Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 1, pid: 7), presenter: "p1")

  private func snooze(_ name: Character, _ seconds: Int = 10, generation: Int? = nil) -> PresentationInput {
    .change(PresentationID(name: name), Verbs.Snooze(for: .seconds(seconds)), generation: generation, by: person)
  }

  private func raise(_ name: Character) -> PresentationInput { .change(PresentationID(name: name), Verbs.Raise(), by: person) }

  @Test func `shows the next prompt at once, and the snoozed one in its turn after its time`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b")
    try scene.ask("c")
    #expect(try scene.handle(snooze("a")) == ["a withdrawn 1 snoozed", "b presented 1"])
    #expect(try scene.answer("b") == ["b answered", "c presented 1"])
    #expect(scene.wait(.milliseconds(9_999)) == [])
    #expect(scene.wait(.milliseconds(1)) == ["a woken"])
    #expect(try scene.answer("c") == ["c answered", "a presented 2"])
  }

  @Test func `returns to its own place, not to the head of the line`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b") { $0.draft.priority = .high }
    #expect(try scene.handle(snooze("a")) == ["a withdrawn 1 snoozed", "b presented 1"])
    try scene.ask("c") { $0.draft.priority = .high }
    try scene.ask("d")
    #expect(scene.wait(.seconds(10)) == ["a woken"])
    #expect(try scene.answer("b") == ["b answered", "c presented 1"])
    #expect(try scene.answer("c") == ["c answered", "a presented 2"])
  }

  @Test func `shows an only prompt again when its snooze ends or is ended`() throws {
    var scene = Scene()
    try scene.ask("a")
    #expect(try scene.handle(snooze("a")) == ["a withdrawn 1 snoozed"])
    #expect(throws: PresentationRejection.notPresented) { try scene.answer("a") }
    #expect(scene.wait(.seconds(10)) == ["a woken", "a presented 2"])
    try scene.handle(snooze("a"))
    #expect(try scene.handle(.change(PresentationID(name: "a"), Verbs.Wake(), by: person)) == ["a woken", "a presented 3"])
    #expect(try scene.handle(.change(PresentationID(name: "a"), Verbs.Wake(), by: person)) == [])
  }

  @Test func `lets timeout run on, and stops shownTimeout`() throws {
    var scene = Scene()
    try scene.ask("a") {
      $0.draft.timeout = .seconds(60)
      $0.draft.shownTimeout = .seconds(15)
    }
    _ = scene.wait(.seconds(5))
    #expect(throws: PresentationRejection.self) { try scene.handle(snooze("a", 55)) }
    try scene.handle(snooze("a", 20))
    #expect(scene.wait(.seconds(20)) == ["a woken", "a presented 2"])
    #expect(scene.wait(.milliseconds(9_999)) == [])
    #expect(scene.wait(.milliseconds(1)) == ["a expired/presented"])
  }

  @Test(arguments: [0, 9, 86_401]) func `refuses times that are too short or too long`(seconds: Int) throws {
    var scene = Scene()
    try scene.ask("a")
    #expect(throws: PresentationRejection.self) { try scene.handle(snooze("a", seconds)) }
  }

  @Test func `snoozes a shown prompt in the generation that the person saw`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b")
    #expect(throws: PresentationRejection.staleGeneration(1)) { try scene.handle(snooze("a", generation: 2)) }
    #expect(throws: PresentationRejection.notOpen) { try scene.handle(snooze("z")) }
  }

  @Test func `can be canceled while it is snoozed`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.handle(snooze("a"))
    #expect(try scene.cancel("a") == ["a cancelled/requester"])
    #expect(scene.wait(.seconds(20)) == [])
  }

  @Test func `uncovers the screen below a snoozed one`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", over: "a")
    #expect(try scene.handle(snooze("b")) == ["b withdrawn 1 snoozed", "a presented 2"])
    #expect(scene.wait(.seconds(10)) == ["b woken", "a withdrawn 2 covered", "b presented 2 on level 1"])
  }

  @Test func `shows a raised prompt in place of the current one, which is next`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b")
    try scene.ask("c")
    #expect(try scene.handle(raise("c")) == ["a withdrawn 1 raised", "c presented 1"])
    #expect(try scene.handle(raise("c")) == [])
    #expect(try scene.answer("c") == ["c answered", "a presented 2"])
  }

  @Test func `raises a snoozed prompt`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b")
    try scene.handle(snooze("a"))
    #expect(try scene.handle(raise("a")) == ["b withdrawn 1 raised", "a presented 2"])
    #expect(scene.wait(.seconds(20)) == [])
  }

  @Test func `puts back a whole stack when another prompt is raised`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", over: "a")
    try scene.ask("c")
    #expect(throws: PresentationRejection.covered) { try scene.handle(raise("a")) }
    #expect(try scene.handle(raise("c")) == ["b withdrawn 1 raised", "a withdrawn 1 raised", "c presented 1"])
    #expect(throws: PresentationRejection.cannotRaise) { try scene.handle(raise("b")) }
    #expect(
      try scene.answer("c") == ["c answered", "a presented 2", "a withdrawn 2 covered", "b presented 2 on level 1"])
  }

  @Test func `raises nothing that nobody may show`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    #expect(throws: PresentationRejection.noPresenter) { try scene.handle(raise("a")) }
  }

  /// The agent and its descendants may close a prompt, which permits nothing; the setting forbids even that.
  @Test func `lets the setting forbidSelfAnswer keep a requester from snoozing`() throws {
    var scene = Scene()
    scene.surfaces.policy.selfAnswer = .user
    try scene.ask("a")
    #expect(throws: PresentationRejection.selfAnswer(.user)) { try scene.handle(snooze("a")) }
    #expect(throws: PresentationRejection.selfAnswer(.user)) { try scene.handle(raise("a")) }
  }
}
