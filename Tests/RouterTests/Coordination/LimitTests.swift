import Testing

@testable import Router

@Suite struct LimitTests {
  private func scene(_ limits: PresentationSurfaces.Limits) throws -> Scene {
    var scene = Scene(limits: limits)
    try scene.ask("a", uid: 1)
    try scene.ask("b", uid: 2)
    return scene
  }

  @Test func `a full surface takes nobody more, and others do`() throws {
    var scene = try scene(PresentationSurfaces.Limits(perSurface: 2))
    #expect(throws: PresentationRejection.full(.surface)) { try scene.ask("c", uid: 3) }
    #expect(try scene.ask("c", on: "side", uid: 3) == ["c requested"])
  }

  @Test func `a user with too many open gets no more, and others do`() throws {
    var scene = try scene(PresentationSurfaces.Limits(perUser: 1))
    #expect(throws: PresentationRejection.full(.user)) { try scene.ask("c", on: "side", uid: 1) }
    #expect(try scene.ask("c", on: "side", uid: 3) == ["c requested"])
  }

  @Test func `with too many open nobody gets more`() throws {
    var scene = try scene(PresentationSurfaces.Limits(total: 2))
    #expect(throws: PresentationRejection.full(.total)) { try scene.ask("c", on: "side", uid: 3) }
  }

  @Test func `what ends makes room`() throws {
    var scene = try scene(PresentationSurfaces.Limits(perSurface: 2))
    try scene.answer("a")
    #expect(try scene.ask("c") == ["c requested"])
  }

  @Test func `a full surface does not tell somebody else's id from one that never was`() throws {
    var scene = try scene(PresentationSurfaces.Limits(perSurface: 2))
    #expect(throws: PresentationRejection.unknownParent) { try scene.ask("c", over: "z", uid: 2) }
    #expect(throws: PresentationRejection.unknownParent) { try scene.ask("c", over: "a", uid: 2) }
  }

  @Test func `stacking deeper than allowed is rejected`() throws {
    var scene = Scene(limits: PresentationSurfaces.Limits(stackDepth: 2))
    try scene.ask("a")
    try scene.ask("b", over: "a")
    try scene.ask("c", over: "b")
    #expect(throws: PresentationRejection.stackedTooDeep) { try scene.ask("d", over: "c") }
  }

  @Test func `a rejected request leaves no surface behind`() throws {
    var scene = try scene(PresentationSurfaces.Limits(total: 2))
    #expect(throws: PresentationRejection.self) { try scene.ask("c", on: "side") }
    #expect(throws: PresentationRejection.self) { try scene.ask("c", on: "side", over: "z") }
    #expect(scene.surfaces.names == ["main"])
  }
}
