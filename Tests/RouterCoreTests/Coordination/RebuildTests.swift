import RouterCore
import TestSupport
import Testing

/// Reverting decisions that could not be recorded.
@Suite struct RebuildTests {
  /// `a` with `b` on top, and `c` and `d` queued, each with a timeout.
  private func scene() throws -> Scene {
    var scene = Scene()
    for name in "acd" { try scene.ask(name) { $0.draft.shownTimeout = .seconds(5) } }
    try scene.ask("b", over: "a") { $0.draft.timeout = .seconds(7) }
    return scene
  }

  /// Whether the state is unchanged after inputs that could not be recorded.
  private func isBack(after inputs: [PresentationInput], in scene: inout Scene) throws -> Bool {
    let before = scene.surfaces.view(of: "main")
    try scene.losing { scene in
      for input in inputs { try scene.handle(input) }
    }
    return scene.surfaces.view(of: "main") == before
  }

  private func cancel(_ name: Character) -> PresentationInput {
    .change(PresentationID(name: name), Verbs.Cancel(), by: .user(1))
  }

  @Test func `removes a lost request`() throws {
    var scene = try scene()
    #expect(try isBack(after: [.request(PresentationAsk(PresentationID(name: "e")))], in: &scene))
    #expect(scene.surfaces.count == 4)
    #expect(scene.surfaces.entry(PresentationID(name: "e")) == nil)
  }

  @Test func `accepts a lost answer again on the same showing, and skips used generations`() throws {
    var scene = try scene()
    let id = PresentationID(name: "b")
    #expect(try isBack(after: [.change(id, Verbs.Answer(.button("ok")), generation: 1)], in: &scene))
    #expect(try scene.answer("b", generation: 1) == ["b answered", "a presented 3"])
    #expect(throws: PresentationRejection.staleGeneration(3)) { try scene.answer("a", generation: 2) }
  }

  @Test func `restores a stack whose end was lost`() throws {
    var scene = try scene()
    #expect(try isBack(after: [cancel("a")], in: &scene))
    #expect(scene.stack() == "ab")
    #expect(scene.ordered() == "abcd")
  }

  @Test func `restores a presenter whose detaching was lost`() throws {
    var scene = try scene()
    #expect(try isBack(after: [.presenterDetached(PresenterID(1), surface: "main")], in: &scene))
    #expect(scene.surfaces.view(of: "main").presenters.map(\.presenter) == [PresenterID(1)])
  }

  @Test func `reverts several lost decisions at once`() throws {
    var scene = try scene()
    var ask = PresentationAsk(PresentationID(name: "e"))
    ask.draft.conflictPolicy = .cancelPrevious
    let inputs: [PresentationInput] = [
      .change(PresentationID(name: "b"), Verbs.Dismiss()), .request(ask),
      .presenterDetached(PresenterID(1), surface: "main"), cancel("c"),
    ]
    #expect(try isBack(after: inputs, in: &scene))
    #expect(try scene.answer("b") == ["b answered", "a presented 3"])
    #expect(try scene.answer("a") == ["a answered", "c presented 1"])
  }

  @Test func `restores a dropped surface`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    #expect(try isBack(after: [cancel("a")], in: &scene))
    #expect(scene.surfaces.names == ["main"])
    #expect(scene.ordered() == "a")
  }

  @Test func `restores deadlines and removes those of lost requests`() throws {
    var scene = try scene()
    var ask = PresentationAsk(PresentationID(name: "e"))
    ask.draft.timeout = .seconds(1)
    #expect(try isBack(after: [.request(ask), cancel("b")], in: &scene))
    #expect(scene.surfaces.nextDeadline == .seconds(7))
    #expect(scene.wait(7) == ["b expired/presented", "a presented 3"])
  }

  @Test func `keeps the start time of a showing`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.shownTimeout = .seconds(5) }
    scene.wait(2)
    scene.losing { scene in
      scene.detach(1)
      scene.wait(1)
      scene.attach(1)
    }
    #expect(scene.surfaces.nextDeadline == .seconds(5))
    #expect(scene.wait(2) == ["a expired/presented"])
  }

  @Test func `does not count a lost request against the limits or reuse its number`() throws {
    var scene = Scene(limits: Presentation.Limits(perUser: 1))
    #expect(try isBack(after: [.request(PresentationAsk(PresentationID(name: "a")))], in: &scene))
    #expect(try scene.ask("b") == ["b requested", "b presented 1"])
    #expect(scene.surfaces.entry(PresentationID(name: "b"))?.presentation.number == 2)
  }

  @Test func `frees the key of a lost request and keeps that of a lost end`() throws {
    var scene = Scene()
    try scene.losing { try $0.ask("a") { $0.useKey("k") } }
    try scene.ask("b") { $0.useKey("k") }
    try scene.losing { try $0.answer("b") }
    #expect(try scene.ask("c") { $0.useKey("k") } == [])
    #expect(scene.ordered() == "b")
  }

  @Test func `keeps the time from which a held request can be overtaken`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a") { $0.useKey("k") }
    scene.restart()
    try scene.losing { try $0.cancel("a") }
    scene.attach(1)
    #expect(try scene.ask("b") == ["b requested"])
    #expect(scene.wait(1) == ["b presented 1"])
  }
}
