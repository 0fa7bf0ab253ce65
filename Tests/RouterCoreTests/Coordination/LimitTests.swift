import TestSupport
import Testing

@testable import RouterCore

// Promises P38, P57.
@Suite struct LimitTests {
  private func scene(_ limits: Presentation.Limits) throws -> Scene {
    var scene = Scene(limits: limits)
    try scene.ask("a", uid: 1)
    try scene.ask("b", uid: 2)
    return scene
  }

  @Test func `rejects requests on a full surface and accepts them on others`() throws {
    var scene = try scene(Presentation.Limits(perSurface: 2))
    #expect(throws: PresentationRejection.full(.surface)) { try scene.ask("c", uid: 3) }
    #expect(try scene.ask("c", on: "side", uid: 3) == ["c requested"])
  }

  @Test func `rejects a user at the per-user limit and accepts others`() throws {
    var scene = try scene(Presentation.Limits(perUser: 1))
    #expect(throws: PresentationRejection.full(.user)) { try scene.ask("c", on: "side", uid: 1) }
    #expect(try scene.ask("c", on: "side", uid: 3) == ["c requested"])
  }

  @Test func `rejects everyone at the total limit`() throws {
    var scene = try scene(Presentation.Limits(total: 2))
    #expect(throws: PresentationRejection.full(.total)) { try scene.ask("c", on: "side", uid: 3) }
  }

  @Test func `reserves the last tenth of a surface for users with nothing open there`() throws {
    var scene = Scene(presenters: 0, limits: Presentation.Limits(perSurface: 20, perUser: 100))
    for name in "abcdefghijklmnopqr" { try scene.ask(name, uid: 1) }
    #expect(throws: PresentationRejection.full(.surface)) { try scene.ask("s", uid: 1) }
    #expect(try scene.ask("s", on: "side", uid: 1) == ["s requested"])
    #expect(try scene.ask("t", uid: 2) == ["t requested"])
    #expect(throws: PresentationRejection.full(.surface)) { try scene.ask("u", uid: 2) }
    #expect(try scene.ask("u", uid: 3) == ["u requested"])
    #expect(throws: PresentationRejection.full(.surface)) { try scene.ask("v", uid: 4) }
  }

  @Test func `reserves the last tenth of the total for users with nothing open`() throws {
    var scene = Scene(presenters: 0, limits: Presentation.Limits(total: 10))
    for (index, name) in "abcdefghi".enumerated() { try scene.ask(name, on: index < 5 ? "main" : "side", uid: 1) }
    #expect(throws: PresentationRejection.full(.total)) { try scene.ask("j", uid: 1) }
    #expect(try scene.ask("j", uid: 2) == ["j requested"])
  }

  @Test func `the default limits keep one user from filling a surface`() throws {
    let limits = Presentation.Limits()
    #expect(limits.perUser <= limits.perSurface / 4 && limits.perSurface <= limits.total / 4)
    var surfaces = PresentationSurfaces()
    for number in 0..<limits.perUser {
      _ = try surfaces.handle(.request(PresentationAsk(PresentationID(number: number))), at: .zero)
    }
    let one = PresentationAsk(PresentationID(number: limits.perUser))
    #expect(throws: PresentationRejection.full(.user)) { try surfaces.handle(.request(one), at: .zero) }
    let other = PresentationAsk(PresentationID(number: limits.perUser), uid: 2)
    #expect(try surfaces.handle(.request(other), at: .zero).count == 1)
    // The other user does not queue behind all of them either.
    #expect(surfaces.position(of: other.id) == 2)
  }

  @Test func `limits the size of a user's open requests, and counts restored ones`() throws {
    let size = JSONText(try PresentationAsk(PresentationID(name: "a")).request.normalized()).bytes.count
    var scene = Scene(presenters: 0, limits: Presentation.Limits(bytesPerUser: 2 * size))
    try scene.ask("a") { $0.attached = false }
    try scene.ask("b") { $0.attached = false }
    #expect(throws: PresentationRejection.full(.bytes)) { try scene.ask("c", on: "side") }
    #expect(try scene.ask("c", uid: 2) { $0.attached = false } == ["c requested"])
    scene.restart()
    #expect(throws: PresentationRejection.full(.bytes)) { try scene.ask("d") }
    try scene.cancel("a")
    #expect(throws: PresentationRejection.full(.bytes)) { try scene.ask("d") { $0.draft.message = "longer" } }
    #expect(try scene.ask("d") == ["d requested"])
    let error = RouterError(.full(.bytes))
    #expect(error.code == .full && error.message.contains("limits.bytesPerUser") && error.retryAfter != nil)
  }

  @Test func `rejects critical priority without its role`() throws {
    var scene = Scene()
    #expect(throws: PresentationRejection.criticalForbidden) {
      try scene.ask("a") {
        $0.draft.priority = .critical
        $0.mayBeCritical = false
      }
    }
    #expect(try scene.ask("a") { $0.mayBeCritical = false } == ["a requested", "a presented 1"])
    #expect(try scene.ask("b") { $0.draft.priority = .critical } == ["b requested"])
    let error = RouterError(.criticalForbidden)
    #expect(error.code == .forbidden && error.field == "/priority")
    #expect(error.message == "cannot ask with priority critical: it needs the role critical")
  }

  @Test func `accepts a request after another ends`() throws {
    var scene = try scene(Presentation.Limits(perSurface: 2))
    try scene.answer("a")
    #expect(try scene.ask("c") == ["c requested"])
  }

  @Test func `does not reveal another user's ids on a full surface`() throws {
    var scene = try scene(Presentation.Limits(perSurface: 2))
    #expect(throws: PresentationRejection.unknownParent) { try scene.ask("c", over: "z", uid: 2) }
    #expect(throws: PresentationRejection.unknownParent) { try scene.ask("c", over: "a", uid: 2) }
  }

  @Test func `rejects stacking deeper than the limit`() throws {
    var scene = Scene(limits: Presentation.Limits(stackDepth: 2))
    try scene.ask("a")
    try scene.ask("b", over: "a")
    try scene.ask("c", over: "b")
    #expect(throws: PresentationRejection.stackedTooDeep) { try scene.ask("d", over: "c") }
  }

  @Test func `leaves no surface behind after a rejected request`() throws {
    var scene = try scene(Presentation.Limits(total: 2))
    #expect(throws: PresentationRejection.self) { try scene.ask("c", on: "side") }
    #expect(throws: PresentationRejection.self) { try scene.ask("c", on: "side", over: "z") }
    #expect(scene.surfaces.names == ["main"])
  }
}
