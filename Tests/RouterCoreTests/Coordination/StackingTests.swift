import TestSupport
import Testing

@testable import RouterCore

@Suite struct StackingTests {
  /// `a` with `b` on top.
  private func stack() throws -> Scene {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", over: "a")
    return scene
  }

  @Test func `a child covers its parent`() throws {
    var scene = Scene()
    try scene.ask("a")
    #expect(try scene.ask("b", over: "a") == ["b requested", "a withdrawn 1 covered", "b presented 1 on level 1"])
    #expect(scene.surfaces.state.surfaces["main"]?[PresentationID(name: "a")]?.isCovered == true)
  }

  @Test func `shows a covered parent again with a new generation`() throws {
    var scene = try stack()
    #expect(try scene.answer("b") == ["b answered", "a presented 2"])
    #expect(throws: PresentationRejection.staleGeneration(2)) { try scene.answer("a", generation: 1) }
    #expect(try scene.answer("a", generation: 2) == ["a answered"])
  }

  @Test func `a child does not queue behind other requesters`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b") { $0.draft.priority = .critical }
    try scene.ask("c", over: "a") { $0.draft.priority = .low }
    #expect(scene.stack() == "ac")
    #expect(scene.ordered() == "acb")
  }

  @Test func `a child waits for its parent's turn`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b")
    #expect(try scene.ask("c", over: "b") == ["c requested"])
    #expect(
      try scene.answer("a") == ["a answered", "b presented 1", "b withdrawn 1 covered", "c presented 1 on level 1"])
  }

  @Test func `shows children of one parent one after the other, then the parent`() throws {
    var scene = try stack()
    #expect(try scene.ask("c", over: "a") == ["c requested"])
    #expect(scene.position(of: "c") == 1)
    #expect(try scene.answer("b") == ["b answered", "c presented 1 on level 1"])
    #expect(try scene.answer("c") == ["c answered", "a presented 2"])
  }

  @Test func `orders children of one parent by priority`() throws {
    var scene = try stack()
    try scene.ask("c", over: "a")
    try scene.ask("d", over: "a") { $0.draft.priority = .high }
    #expect(scene.ordered() == "abdc")
  }

  @Test func `ends children as parentEnded before their canceled parent`() throws {
    var scene = try stack()
    try scene.ask("c", over: "a")
    #expect(
      try scene.cancel("a") == ["b cancelled/parentEnded", "c cancelled/parentEnded", "a cancelled/requester"])
  }

  @Test func `a deep stack ends top first`() throws {
    var scene = Scene(limits: Presentation.Limits(stackDepth: 2))
    try scene.ask("a")
    try scene.ask("b", over: "a")
    try scene.ask("c", over: "b")
    #expect(
      try scene.cancel("a") == ["c cancelled/parentEnded", "b cancelled/parentEnded", "a cancelled/requester"])
  }

  @Test func `ends waiting children before their canceled parent`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    for name: Character in ["b", "c"] { try scene.ask(name, over: "a") }
    #expect(
      try scene.cancel("a") == ["b cancelled/parentEnded", "c cancelled/parentEnded", "a cancelled/requester"])
  }

  @Test func `requires a parent that is open, of the same user and on the same surface`() throws {
    var scene = try stack()
    try scene.answer("b")
    #expect(throws: PresentationRejection.unknownParent) { try scene.ask("c", over: "z") }
    #expect(throws: PresentationRejection.unknownParent) { try scene.ask("c", over: "b") }
    #expect(throws: PresentationRejection.unknownParent) { try scene.ask("c", over: "a", uid: 2) }
    #expect(throws: PresentationRejection.unknownParent) { try scene.ask("c", on: "side", over: "a") }
    #expect(throws: PresentationRejection.unknownParent) { try scene.ask("c", over: "c") }
  }

  @Test func `rejects an administrator's stacking on another user's presentation`() throws {
    var scene = try stack()
    #expect(throws: PresentationRejection.unknownParent) { try scene.ask("c", over: "a", uid: 0) { $0.isAdmin = true } }
  }

  @Test func `allows one level by default`() throws {
    var scene = try stack()
    #expect(throws: PresentationRejection.stackedTooDeep) { try scene.ask("c", over: "b") }
  }
}
