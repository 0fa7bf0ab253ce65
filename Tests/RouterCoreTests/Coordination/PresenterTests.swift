import RouterCore
import TestSupport
import Testing

@Suite struct PresenterTests {
  @Test func `shows nothing until a presenter attaches`() throws {
    var scene = Scene(presenters: 0)
    #expect(try scene.ask("a") == ["a requested"])
    #expect(scene.attach(1) == ["a presented 1"])
  }

  @Test func `a second presenter changes nothing, attaching or detaching`() throws {
    var scene = Scene()
    try scene.ask("a")
    #expect(scene.attach(2) == [])
    #expect(scene.detach(1) == [])
    #expect(try scene.answer("a", generation: 1) == ["a answered"])
  }

  @Test func `returns the prompt to the head of the queue when the last presenter detaches`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.priority = .low }
    try scene.ask("b") { $0.draft.priority = .critical }
    #expect(scene.detach(1) == ["a withdrawn 1 presenterGone"])
    #expect(scene.ordered() == "ab")
    #expect(scene.attach(2) == ["a presented 2"])
  }

  @Test func `rejects answers to a prompt whose presenter was lost`() throws {
    var scene = Scene()
    try scene.ask("a")
    scene.detach(1)
    #expect(throws: PresentationRejection.notPresented) { try scene.answer("a", generation: 1) }
    scene.attach(1)
    #expect(throws: PresentationRejection.staleGeneration(2)) { try scene.answer("a", generation: 1) }
  }

  @Test func `withdraws a stack top first and shows it again level by level`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", over: "a")
    try scene.ask("c")
    #expect(scene.detach(1) == ["b withdrawn 1 presenterGone", "a withdrawn 1 presenterGone"])
    #expect(scene.ordered() == "abc")
    #expect(scene.attach(1) == ["a presented 2", "a withdrawn 2 covered", "b presented 2 on level 1"])
  }

  @Test func `a previously shown child precedes its siblings`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", over: "a") { $0.draft.priority = .low }
    try scene.ask("c", over: "a") { $0.draft.priority = .critical }
    scene.detach(1)
    #expect(scene.ordered() == "abc")
    scene.attach(1)
    #expect(scene.stack() == "ab")
  }

  @Test func `cancels a noPresenter request when it arrives if no presenter is attached`() throws {
    var scene = Scene(presenters: 0)
    #expect(try scene.ask("a") { $0.draft.noPresenter = .fail } == ["a requested", "a cancelled/noPresenter"])
    try scene.ask("b")
    #expect(try scene.ask("c") { $0.draft.noPresenter = .fail } == ["c requested", "c cancelled/noPresenter"])
    #expect(
      try scene.ask("d") { ($0.draft.noPresenter, $0.draft.conflictPolicy) = (.fail, .cancelPrevious) }
        == ["d requested", "d cancelled/noPresenter"])
    #expect(scene.ordered() == "b")
  }

  @Test func `keeps a noPresenter request when its presenter detaches`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.noPresenter = .fail }
    #expect(scene.detach(1) == ["a withdrawn 1 presenterGone"])
    #expect(scene.attach(1) == ["a presented 2"])
  }

  @Test func `shows prompts only on the presenter's surface`() throws {
    var scene = Scene()
    #expect(try scene.ask("a", on: "side") == ["a requested"])
    #expect(scene.attach(1, to: "side") == ["a presented 1"])
    #expect(scene.detach(1, from: "main") == [])
    #expect(scene.stack(on: "side") == "a")
  }

  @Test func `ignores repeated attaching and unknown detaching`() throws {
    var scene = Scene()
    try scene.ask("a")
    #expect(scene.attach(1) == [])
    #expect(scene.detach(9) == [])
    #expect(scene.detach(1, from: "nowhere") == [])
    #expect(scene.detach(1) == ["a withdrawn 1 presenterGone"])
  }

  @Test func `removes a surface without presentations and presenters`() throws {
    var scene = Scene()
    try scene.ask("a")
    scene.detach(1)
    #expect(scene.surfaces.names == ["main"])
    try scene.cancel("a")
    #expect(scene.surfaces.names == [])
  }
}
