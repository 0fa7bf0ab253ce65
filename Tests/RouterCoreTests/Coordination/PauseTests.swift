import RouterCore
import TestSupport
import Testing

/// Pausing while the log cannot be written: nothing new is shown, but presentations still end.
@Suite struct PauseTests {
  @Test func `shows nothing until it resumes`() throws {
    var scene = Scene()
    scene.pause()
    #expect(try scene.ask("a") == ["a requested"])
    #expect(scene.resume() == ["a presented 1"])
  }

  @Test func `shows no successor of an expired prompt until it resumes`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.timeout = .seconds(1) }
    try scene.ask("b")
    scene.pause()
    #expect(scene.wait(1) == ["a expired/presented"])
    #expect(scene.resume() == ["b presented 1"])
  }

  @Test func `rejects an answer to an uncovered parent until it resumes`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", over: "a")
    scene.pause()
    #expect(try scene.cancel("b") == ["b cancelled/requester"])
    #expect(throws: PresentationRejection.covered) { try scene.answer("a") }
    #expect(scene.resume() == ["a presented 2"])
  }

  @Test func `shows nothing on a new surface until it resumes`() throws {
    var scene = Scene()
    scene.pause()
    scene.attach(1, to: "side")
    #expect(try scene.ask("a", on: "side") == ["a requested"])
    #expect(scene.resume() == ["a presented 1"])
  }

  @Test func `keeps a noPresenter request, since its presenters may not be known`() throws {
    var scene = Scene(presenters: 0)
    scene.pause()
    #expect(try scene.ask("a") { $0.draft.noPresenter = .fail } == ["a requested"])
    #expect(scene.resume() == [])
    #expect(scene.attach(1) == ["a presented 1"])
  }

  @Test func `withdraws the prompt of a detached presenter while paused`() throws {
    var scene = Scene()
    try scene.ask("a")
    scene.pause()
    #expect(scene.detach(1) == ["a withdrawn 1 presenterGone"])
    #expect(scene.attach(1) == [])
    #expect(scene.resume() == ["a presented 2"])
  }
}
