import TestSupport
import Testing

@testable import RouterCore

/// Presenters of one presentation, such as the terminal that asks inline.
@Suite struct RestrictedPresenterTests {
  @Test func `shows its own prompt, and passes over what nobody may show`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a") { $0.draft.priority = .critical }
    try scene.ask("b")
    #expect(try scene.attach(1, only: "b") == ["b presented 1"])
    #expect(scene.ordered() == "ba")
    #expect(try scene.answer("b", generation: 1) == ["b answered"])
    #expect(scene.stack() == "")
    #expect(scene.attach(2) == ["a presented 1"])
  }

  @Test func `waits its turn where another presenter shows everything`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b")
    #expect(try scene.attach(2, only: "b") == [])
    #expect(try scene.answer("a") == ["a answered", "b presented 1"])
    #expect(scene.surfaces.state.surfaces["main"]?[PresentationID(name: "b")]?.isOnTop == true)
  }

  @Test func `goes on beside a presenter that attaches later, and without it`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    try scene.attach(1, only: "a")
    #expect(scene.attach(2) == [])
    #expect(scene.detach(2) == [])
    #expect(try scene.answer("a", generation: 1) == ["a answered"])
  }

  @Test func `leaves with its prompt taken down while others are shown`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    try scene.ask("b")
    try scene.attach(1, only: "b")
    try scene.attach(2, only: "a")
    #expect(scene.stack() == "b")
    #expect(scene.detach(1) == ["b withdrawn 1 presenterGone", "a presented 1"])
    #expect(scene.ordered() == "ab")
  }

  @Test func `takes over when the presenter of everything leaves`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b")
    try scene.attach(2, only: "b")
    #expect(scene.detach(1) == ["a withdrawn 1 presenterGone", "b presented 1"])
    #expect(scene.attach(3) == [])
    #expect(try scene.answer("b") == ["b answered", "a presented 2"])
  }

  @Test func `a stack is taken down from what nobody may show any more`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    try scene.attach(1, only: "a")
    #expect(try scene.ask("b", over: "a") == ["b requested"])
    #expect(try scene.attach(2, only: "b") == ["a withdrawn 1 covered", "b presented 1 on level 1"])
    #expect(scene.detach(2) == ["b withdrawn 1 presenterGone", "a presented 2"])
    try scene.attach(2, only: "b")
    #expect(scene.detach(1) == ["b withdrawn 2 presenterGone", "a withdrawn 2 presenterGone"])
  }

  @Test func `what would not wait is given up when it arrives if no attached presenter may show it`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    try scene.attach(1, only: "a")
    #expect(try scene.ask("b") { $0.draft.noPresenter = .fail } == ["b requested", "b cancelled/noPresenter"])
    #expect(try scene.answer("a") == ["a answered"])
  }

  @Test func `shows what is urgent enough, and passes over the rest`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    try scene.ask("b") { $0.draft.priority = .high }
    #expect(scene.attach(1, priority: .high) == ["b presented 1"])
    #expect(try scene.ask("c") { $0.draft.priority = .critical } == ["c requested"])
    #expect(try scene.answer("b") == ["b answered", "c presented 1"])
    #expect(try scene.ask("d") { $0.draft.noPresenter = .fail } == ["d requested", "d cancelled/noPresenter"])
    #expect(try scene.answer("c") == ["c answered"])
    #expect(scene.attach(2) == ["a presented 1"])
    #expect(scene.detach(2) == ["a withdrawn 1 presenterGone"])
  }

  @Test func `is named with what it showed, and only there`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b")
    try scene.attach(2, only: "b")
    try scene.answer("a")
    let shown = scene.events.compactMap { event -> [String]? in
      if case .presented(let shown) = event.detail { shown.presenters.map(\.name) } else { nil }
    }
    #expect(shown == [["p1"], ["p1", "p2"]])
  }

  @Test func `is for the same user's open prompt on that surface`() throws {
    var scene = Scene()
    try scene.ask("a")
    #expect(throws: PresentationRejection.notOpen) { try scene.attach(2, only: "b") }
    #expect(throws: PresentationRejection.notOpen) { try scene.attach(2, only: "a", to: "side") }
    #expect(throws: PresentationRejection.notOpen) { try scene.attach(2, only: "a", uid: 2) }
    try scene.answer("a")
    #expect(throws: PresentationRejection.notOpen) { try scene.attach(2, only: "a") }
  }

  @Test(arguments: [SelfAnswerRule.process, .user])
  func `is refused where a requester may not answer`(rule: SelfAnswerRule) throws {
    var scene = Scene()
    scene.surfaces.policy.selfAnswer = rule
    try scene.ask("a")
    #expect(throws: PresentationRejection.selfAnswer(rule)) { try scene.attach(1, only: "a") }
  }

  @Test func `right after a restart it overtakes nothing that is held`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a") { $0.attached = false }
    try scene.ask("b") { $0.attached = false }
    try scene.ask("c") { $0.useKey("k") }
    try scene.ask("d") { $0.attached = false }
    scene.restart()
    #expect(try scene.attach(1, only: "d") == [])
    #expect(try scene.attach(2, only: "b") == ["b presented 1"])
    try scene.answer("b")
    #expect(scene.stack() == "")
    #expect(scene.wait(1) == ["d presented 1"])
  }
}
