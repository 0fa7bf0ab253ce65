import Testing

@testable import Router

@Suite struct ConflictPolicyTests {
  private func cancelNew(_ ask: inout PresentationAsk) { ask.request.conflictPolicy = .cancelNew }
  private func cancelPrevious(_ ask: inout PresentationAsk) { ask.request.conflictPolicy = .cancelPrevious }

  // MARK: cancelNew

  @Test func `cancelNew is shown where nothing is open`() throws {
    var scene = Scene()
    #expect(try scene.ask("a", cancelNew) == ["a requested", "a presented 1"])
  }

  @Test func `cancelNew ends as busy where something is shown`() throws {
    var scene = Scene()
    try scene.ask("a")
    #expect(try scene.ask("b", cancelNew) == ["b requested", "b cancelled/busy"])
  }

  @Test func `cancelNew ends as busy where something waits`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    #expect(try scene.ask("b", cancelNew) == ["b requested", "b cancelled/busy"])
  }

  @Test func `cancelNew over a parent minds only what is on that parent`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b")
    #expect(try scene.ask("c", over: "a", cancelNew) == ["c requested", "a withdrawn 1 covered", "c presented 1 on level 1"])
    #expect(try scene.ask("d", over: "a", cancelNew) == ["d requested", "d cancelled/busy"])
  }

  // MARK: cancelPrevious

  @Test func `cancelPrevious takes the place of what is shown, its stack ending top first`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", over: "a")
    try scene.ask("c") { $0.request.priority = .critical }
    let changes = try scene.ask("d") { ask in
      ask.request.conflictPolicy = .cancelPrevious
      ask.request.priority = .low
    }
    #expect(changes == ["d requested", "b cancelled/parentEnded", "a cancelled/superseded", "d presented 1"])
    #expect(scene.ordered() == "dc")
  }

  @Test func `cancelPrevious takes the place of the head of the queue where nothing is shown`() throws {
    var scene = Scene(presenters: 0)
    for name in "ab" { try scene.ask(name) }
    #expect(try scene.ask("c", cancelPrevious) == ["c requested", "a cancelled/superseded"])
    #expect(scene.ordered() == "cb")
  }

  @Test func `cancelPrevious stands in line where there is nothing to supersede`() throws {
    var scene = Scene()
    #expect(try scene.ask("a", cancelPrevious) == ["a requested", "a presented 1"])
  }

  @Test func `cancelPrevious ends as busy before what is somebody else's`() throws {
    var scene = Scene()
    try scene.ask("a", uid: 1)
    #expect(try scene.ask("b", uid: 2, cancelPrevious) == ["b requested", "b cancelled/busy"])
    #expect(scene.stack() == "a")
  }

  @Test func `cancelPrevious looks at whose the holder is, not at who waits behind it`() throws {
    var scene = Scene()
    try scene.ask("a", uid: 1)
    try scene.ask("b", uid: 2)
    #expect(try scene.ask("c", uid: 2, cancelPrevious) == ["c requested", "c cancelled/busy"])
    #expect(scene.ordered() == "ab")
  }

  @Test func `an admin supersedes what is somebody else's`() throws {
    var scene = Scene()
    try scene.ask("a", uid: 1)
    let changes = try scene.ask("b", uid: 0) { ask in
      ask.request.conflictPolicy = .cancelPrevious
      ask.isAdmin = true
    }
    #expect(changes == ["b requested", "a cancelled/superseded", "b presented 1"])
  }

  @Test func `cancelPrevious over a parent takes the place on that parent, which stays covered`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", over: "a")
    let changes = try scene.ask("c", over: "a", cancelPrevious)
    #expect(changes == ["c requested", "b cancelled/superseded", "c presented 1 on level 1"])
    #expect(scene.stack() == "ac")
  }

  @Test func `superseding while nobody shows keeps the place, whoever supersedes last`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    try scene.ask("b") { $0.request.priority = .critical }
    try scene.ask("c", cancelPrevious)
    try scene.ask("d", cancelPrevious)
    #expect(scene.ordered() == "da")
    #expect(scene.attach(1) == ["d presented 1"])
  }
}
