import RouterCore
import TestSupport
import Testing

@Suite struct ConflictPolicyTests {
  private func cancelNew(_ ask: inout PresentationAsk) { ask.draft.conflictPolicy = .cancelNew }
  private func cancelPrevious(_ ask: inout PresentationAsk) { ask.draft.conflictPolicy = .cancelPrevious }

  // MARK: cancelNew

  @Test func `cancelNew shows a request on an idle surface`() throws {
    var scene = Scene()
    #expect(try scene.ask("a", cancelNew) == ["a requested", "a presented 1"])
  }

  @Test func `cancelNew cancels as busy while another prompt is shown`() throws {
    var scene = Scene()
    try scene.ask("a")
    #expect(try scene.ask("b", cancelNew) == ["b requested", "b cancelled/busy"])
  }

  @Test func `cancelNew cancels as busy while another request waits`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    #expect(try scene.ask("b", cancelNew) == ["b requested", "b cancelled/busy"])
  }

  @Test func `cancelNew over a parent considers only that parent's children`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b")
    #expect(try scene.ask("c", over: "a", cancelNew) == ["c requested", "a withdrawn 1 covered", "c presented 1 on level 1"])
    #expect(try scene.ask("d", over: "a", cancelNew) == ["d requested", "d cancelled/busy"])
  }

  // MARK: cancelPrevious

  @Test func `cancelPrevious replaces the current prompt and ends its stack top first`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", over: "a")
    try scene.ask("c") { $0.draft.priority = .critical }
    let changes = try scene.ask("d") { ask in
      ask.draft.conflictPolicy = .cancelPrevious
      ask.draft.priority = .low
    }
    #expect(changes == ["d requested", "b cancelled/parentEnded", "a cancelled/superseded", "d presented 1"])
    #expect(scene.ordered() == "dc")
  }

  @Test func `cancelPrevious replaces the head of the queue if nothing is shown`() throws {
    var scene = Scene(presenters: 0)
    for name in "ab" { try scene.ask(name) }
    #expect(try scene.ask("c", cancelPrevious) == ["c requested", "a cancelled/superseded"])
    #expect(scene.ordered() == "cb")
  }

  @Test func `cancelPrevious enqueues if there is nothing to supersede`() throws {
    var scene = Scene()
    #expect(try scene.ask("a", cancelPrevious) == ["a requested", "a presented 1"])
  }

  @Test func `cancelPrevious cancels as busy if another user's prompt is shown`() throws {
    var scene = Scene()
    try scene.ask("a", uid: 1)
    #expect(try scene.ask("b", uid: 2, cancelPrevious) == ["b requested", "b cancelled/busy"])
    #expect(scene.stack() == "a")
  }

  @Test func `cancelPrevious checks the owner of the current prompt, not of those behind it`() throws {
    var scene = Scene()
    try scene.ask("a", uid: 1)
    try scene.ask("b", uid: 2)
    #expect(try scene.ask("c", uid: 2, cancelPrevious) == ["c requested", "c cancelled/busy"])
    #expect(scene.ordered() == "ab")
  }

  @Test func `cancelPrevious lets an administrator supersede another user's prompt`() throws {
    var scene = Scene()
    try scene.ask("a", uid: 1)
    let changes = try scene.ask("b", uid: 0) { ask in
      ask.draft.conflictPolicy = .cancelPrevious
      ask.isAdmin = true
    }
    #expect(changes == ["b requested", "a cancelled/superseded", "b presented 1"])
  }

  @Test func `cancelPrevious over a parent replaces its child, and the parent stays covered`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", over: "a")
    let changes = try scene.ask("c", over: "a", cancelPrevious)
    #expect(changes == ["c requested", "b cancelled/superseded", "c presented 1 on level 1"])
    #expect(scene.stack() == "ac")
  }

  @Test func `cancelPrevious keeps the head position without a presenter, even when repeated`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    try scene.ask("b") { $0.draft.priority = .critical }
    try scene.ask("c", cancelPrevious)
    try scene.ask("d", cancelPrevious)
    #expect(scene.ordered() == "da")
    #expect(scene.attach(1) == ["d presented 1"])
  }
}
