import RouterCore
import TestSupport
import Testing

/// Flow rules: a root or screen stays open after an answer, until it is finished, dismissed or canceled.
@Suite struct FlowTests {
  /// The root `a` with the screen `b` on top.
  private func flow() throws -> Scene {
    var scene = Scene()
    try scene.askFlow("a")
    try scene.askFlow("b", over: "a")
    return scene
  }

  @Test func `stays shown after an answer, with a new generation`() throws {
    var scene = Scene()
    try scene.askFlow("a")
    #expect(try scene.answer("a", generation: 1) == ["a answered on 1", "a presented 2"])
    #expect(try scene.answer("a") == ["a answered on 2", "a presented 3"])
    #expect(throws: PresentationRejection.staleGeneration(3)) { try scene.answer("a", generation: 2) }
  }

  @Test func `covers the parent with a screen, and shows it again after Back`() throws {
    var scene = try flow()
    #expect(throws: PresentationRejection.covered) { try scene.answer("a") }
    #expect(try scene.dismiss("b") == ["b dismissed", "a presented 2"])
    #expect(try scene.answer("a") == ["a answered on 2", "a presented 3"])
  }

  @Test func `replaces an answer given again after Back`() throws {
    var scene = Scene()
    try scene.askFlow("a")
    try scene.answer("a", with: .value("first"))
    try scene.askFlow("b", over: "a")
    try scene.dismiss("b")
    try scene.answer("a", with: .value("second"))
    let finish = PresentationInput.change(PresentationID(name: "a"), Verbs.Finish(), by: .user(1))
    let events = try scene.surfaces.handle(finish, at: scene.moment)
    let end = Change.End(
      outcome: .answered(.value("second")), finishedBy: .user(1), generation: 4, shownFor: .zero)
    #expect(events.map(Change.init) == [.resolved(PresentationID(name: "a"), end)])
  }

  @Test func `ends the flow when its root is dismissed`() throws {
    var scene = Scene()
    try scene.askFlow("a")
    try scene.ask("z", uid: 2)
    try scene.answer("a")
    #expect(try scene.dismiss("a") == ["a dismissed", "z presented 1"])
  }

  @Test func `stacks screens without a limit, and limits other presentations as usual`() throws {
    var scene = try flow()
    for (name, parent) in zip("cdef", "bcde") as Zip2Sequence<String, String> { try scene.askFlow(name, over: parent) }
    #expect(scene.stack() == "abcdef")
    try scene.ask("x", over: "f")
    #expect(throws: PresentationRejection.stackedTooDeep) { try scene.ask("y", over: "x") }
    #expect(throws: PresentationRejection.parentIsNoFlow) { try scene.askFlow("y", over: "x") }
    #expect(try scene.answer("x") == ["x answered", "f presented 2 on level 5"])
  }

  @Test func `keeps its surface while screens come and go`() throws {
    var scene = Scene()
    try scene.askFlow("a")
    try scene.ask("z", uid: 2) { $0.draft.priority = .critical }
    try scene.answer("a")
    try scene.askFlow("b", over: "a") { $0.draft.priority = .low }
    try scene.answer("b")
    try scene.dismiss("b")
    #expect(scene.stack() == "a")
    #expect(scene.position(of: "z") == 1)
  }

  @Test func `finish ends everything above first, top first`() throws {
    var scene = Scene()
    try scene.askFlow("a")
    try scene.answer("a")
    try scene.askFlow("b", over: "a")
    try scene.answer("b")
    try scene.askFlow("c", over: "b")
    try scene.ask("d", over: "c")
    #expect(
      try scene.finish("b")
        == ["d cancelled/parentEnded", "c cancelled/parentEnded", "b answered", "a presented 3"])
    #expect(try scene.finish("a") == ["a answered"])
  }

  @Test func `rejects finish without an answer`() throws {
    var scene = try flow()
    try scene.ask("x", over: "b")
    #expect(throws: PresentationRejection.notAnswered) { try scene.finish("b") }
    #expect(throws: PresentationRejection.notFlow) { try scene.finish("x") }
    #expect(throws: PresentationRejection.notOpen) { try scene.finish("z") }
  }

  @Test func `rejects a stale generation from the other presenter after an answer`() throws {
    var scene = Scene(presenters: 2)
    try scene.askFlow("a")
    try scene.answer("a", generation: 1)
    #expect(throws: PresentationRejection.staleGeneration(2)) { try scene.dismiss("a", generation: 1) }
    #expect(try scene.dismiss("a", generation: 2) == ["a dismissed"])
  }

  @Test func `returns to the queue as a whole when the presenter is lost, and is shown again whole`() throws {
    var scene = try flow()
    try scene.askFlow("c", over: "b")
    try scene.answer("c")
    #expect(
      scene.detach(1) == [
        "c withdrawn 2 presenterGone", "b withdrawn 1 presenterGone", "a withdrawn 1 presenterGone",
      ])
    #expect(scene.ordered() == "abc")
    scene.attach(1)
    #expect(scene.stack() == "abc")
    #expect(try scene.finish("c") == ["c answered", "b presented 3 on level 1"])
  }

  @Test func `can be finished while no presenter is attached`() throws {
    var scene = try flow()
    try scene.answer("b")
    scene.detach(1)
    #expect(try scene.finish("b") == ["b answered"])
    #expect(scene.attach(1) == ["a presented 2"])
  }

  @Test func `cancelPrevious replaces the screen above the parent`() throws {
    var scene = try flow()
    try scene.askFlow("c", over: "b")
    #expect(
      try scene.askFlow("d", over: "a") { $0.draft.conflictPolicy = .cancelPrevious } == [
        "d requested", "c cancelled/parentEnded", "b cancelled/superseded", "d presented 1 on level 1",
      ])
    #expect(
      try scene.askFlow("e", over: "a") { $0.draft.conflictPolicy = .cancelNew } == ["e requested", "e cancelled/busy"])
  }

  @Test func `restarts shownTimeout with each answer, but not timeout`() throws {
    var scene = Scene()
    try scene.askFlow("a") {
      $0.draft.shownTimeout = .seconds(5)
      $0.draft.timeout = .seconds(12)
    }
    scene.wait(4)
    try scene.answer("a")
    #expect(scene.wait(4) == [])
    try scene.answer("a")
    #expect(scene.wait(4) == ["a expired/presented"])
  }

  @Test func `accepts an unrecorded answer again, and rejects finish in between`() throws {
    var scene = Scene()
    try scene.askFlow("a")
    try scene.losing { try $0.answer("a", generation: 1) }
    #expect(throws: PresentationRejection.notAnswered) { try scene.finish("a") }
    #expect(try scene.answer("a", generation: 1) == ["a answered on 1", "a presented 3"])
  }

  @Test func `shows an answered screen again after a pause`() throws {
    var scene = Scene()
    try scene.askFlow("a")
    scene.pause()
    #expect(try scene.answer("a") == ["a answered on 1"])
    #expect(throws: PresentationRejection.covered) { try scene.answer("a") }
    #expect(scene.resume() == ["a presented 2"])
  }

  @Test(.timeLimit(.minutes(10))) func `handles ten thousand screens`() throws {
    var scene = Scene(limits: Presentation.Limits(perSurface: 20_000, perUser: 20_000))
    let count = 10_000
    var ask = PresentationAsk(PresentationID(number: 0))
    ask.makeFlow()
    try scene.handle(.request(ask))
    for number in 1..<count {
      ask.draft.over = ask.id
      ask.id = PresentationID(number: number)
      try scene.handle(.request(ask))
    }
    #expect(scene.surfaces.state.surfaces["main"]?.stack.count == count)
    #expect(scene.detach(1).count == count)
    #expect(scene.surfaces.position(of: ask.id) == count - 1)
    #expect(scene.surfaces.state.surfaces["main"]?.positions[ask.id] == count - 1)
    #expect(scene.attach(1).count == 2 * count - 1)
    let cancel = PresentationInput.change(PresentationID(number: 0), Verbs.Cancel(), by: .user(1))
    let ended = try scene.surfaces.handle(cancel, at: scene.moment)
    #expect(ended.compactMap(\.presentation) == (0..<count).reversed().map { PresentationID(number: $0) })
  }
}
