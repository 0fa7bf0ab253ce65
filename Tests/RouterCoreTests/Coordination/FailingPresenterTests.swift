import TestSupport
import Testing

@testable import RouterCore

/// Presenters that cannot show a prompt, such as zenity without a display.
@Suite struct FailingPresenterTests {
  @Test func `a presenter's failure leaves the prompt to the others`() throws {
    var scene = Scene(presenters: 2)
    try scene.ask("a")
    #expect(try scene.fail("a", by: 1) == ["a failed on 1 by p1"])
    #expect(try scene.fail("a", by: 1) == [], "a repeated report changes nothing")
    #expect(try scene.answer("a", generation: 1) == ["a answered"])
  }

  @Test func `a prompt fails with its last presenter`() throws {
    var scene = Scene(presenters: 2)
    try scene.ask("a")
    try scene.fail("a", by: 1)
    #expect(try scene.fail("a", by: 2) == ["a failed"])
  }

  @Test func `a failure of an unknown presenter ends the prompt`() throws {
    var scene = Scene(presenters: 2)
    try scene.ask("a")
    #expect(try scene.fail("a", by: 3) == ["a failed"])
  }

  @Test func `is shown other prompts, and what covers the one that failed`() throws {
    var scene = Scene(presenters: 2)
    try scene.ask("a")
    try scene.fail("a", by: 1)
    try scene.ask("b", over: "a")
    try scene.ask("c")
    try scene.answer("b")
    try scene.answer("a")
    let shown = scene.events.compactMap { event -> String? in
      guard case .presented(let shown) = event.detail, let id = event.presentation else { return nil }
      return "\(id.name) " + shown.presenters.map(\.name).joined(separator: " ")
    }
    #expect(shown == ["a p1 p2", "b p1 p2", "a p2", "c p1 p2"])
  }

  @Test func `waits when the others are gone, and holds up nobody`() throws {
    var scene = Scene(presenters: 2)
    try scene.ask("a")
    try scene.ask("b")
    try scene.fail("a", by: 1)
    #expect(scene.detach(2) == ["a withdrawn 1 presenterGone", "b presented 1"])
    #expect(scene.attach(3) == [])
    #expect(try scene.answer("b") == ["b answered", "a presented 2"])
  }

  @Test func `what would not wait when it arrived waits when the others are gone`() throws {
    var scene = Scene(presenters: 2)
    try scene.ask("a") { $0.draft.noPresenter = .fail }
    try scene.fail("a", by: 1)
    #expect(scene.detach(2) == ["a withdrawn 1 presenterGone"])
  }

  @Test func `is remembered over a restart, and until the prompt ends`() throws {
    var scene = Scene(presenters: 2)
    try scene.ask("a") { $0.attached = false }
    try scene.fail("a", by: 1)
    scene.restart()
    #expect(scene.attach(1) == [])
    #expect(scene.attach(2) == ["a presented 2"])
    try scene.answer("a")
    #expect(scene.events.last?.presentation == PresentationID(name: "a"))
  }

  @Test func `is carried over a cut of the log`() throws {
    var scene = Scene(presenters: 2)
    try scene.ask("a")
    try scene.fail("a", by: 1)
    let open = try #require(scene.surfaces.entry(PresentationID(name: "a"))?.presentation)
    let carried = try PresentationRecord(json: JSONText(PresentationRecord(open)).value, at: "").presentation
    #expect(carried == open && carried.failedPresenters == [PresenterIdentity(1).resolver])
  }
}
