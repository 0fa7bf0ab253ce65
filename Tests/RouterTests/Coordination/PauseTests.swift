import Testing

@testable import Router

/// While the log cannot be written nothing new is shown, and what ends still ends.
@Suite struct PauseTests {
  @Test func `nothing is shown until it resumes`() throws {
    var scene = Scene()
    scene.pause()
    #expect(try scene.ask("a") == ["a requested"])
    #expect(scene.resume() == ["a presented 1"])
  }

  @Test func `what ends meanwhile is not followed by the next`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.request.timeout = .seconds(1) }
    try scene.ask("b")
    scene.pause()
    #expect(scene.wait(1) == ["a expired/presented"])
    #expect(scene.resume() == ["b presented 1"])
  }

  @Test func `what is uncovered meanwhile cannot be answered, and is shown again when it resumes`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", over: "a")
    scene.pause()
    #expect(try scene.cancel("b") == ["b cancelled/requester"])
    #expect(throws: PresentationRejection.covered) { try scene.answer("a") }
    #expect(scene.resume() == ["a presented 2"])
  }

  @Test func `a surface that is new meanwhile waits too`() throws {
    var scene = Scene()
    scene.pause()
    scene.attach(1, to: "side")
    #expect(try scene.ask("a", on: "side") == ["a requested"])
    #expect(scene.resume() == ["a presented 1"])
  }

  @Test func `what would not wait for a presenter is given up only when it resumes`() throws {
    var scene = Scene(presenters: 0)
    scene.pause()
    #expect(try scene.ask("a") { $0.request.noPresenter = .fail } == ["a requested"])
    #expect(scene.resume() == ["a cancelled/noPresenter"])
  }

  @Test func `a presenter that goes meanwhile still lets go of what it showed`() throws {
    var scene = Scene()
    try scene.ask("a")
    scene.pause()
    #expect(scene.detach(1) == ["a withdrawn 1 presenterGone"])
    #expect(scene.attach(1) == [])
    #expect(scene.resume() == ["a presented 2"])
  }
}
