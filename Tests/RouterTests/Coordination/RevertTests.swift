import Testing

@testable import Router

/// Decisions that could not be recorded are taken back.
@Suite struct RevertTests {
  /// `a` with `b` on it, `c` and `d` in line, and a clock running on each.
  private func scene() throws -> Scene {
    var scene = Scene()
    for name in "acd" { try scene.ask(name) { $0.shownTimeout = .seconds(5) } }
    try scene.ask("b", over: "a") { $0.timeout = .seconds(7) }
    return scene
  }

  /// Lets events happen, takes them back, and says whether all is as it was.
  private func takesBack(_ events: [PresentationEvent], in scene: inout Scene) throws -> Bool {
    let before = scene.surfaces.view(of: "main")
    let decisions = try events.map { try scene.surfaces.handle($0, at: scene.now) }
    scene.surfaces.revert(decisions)
    return scene.surfaces.view(of: "main") == before
  }

  @Test func `a request that is taken back was never there`() throws {
    var scene = try scene()
    let ticket = PresentationTicket(id: PresentationID(name: "e"), uid: 1)
    #expect(try takesBack([.request(ticket, surface: "main")], in: &scene))
    #expect(scene.surfaces.count == 4)
    #expect(scene.surfaces.surface(of: PresentationID(name: "e")) == nil)
  }

  @Test func `an answer that is taken back can be given again, on the same showing`() throws {
    var scene = try scene()
    let id = PresentationID(name: "b")
    #expect(try takesBack([.answer(id, generation: 1, .button("ok"), by: nil)], in: &scene))
    #expect(try scene.answer("b", generation: 1) == ["b answered", "a presented 2"])
  }

  @Test func `a stack that ended is back, covered and uncovered as before`() throws {
    var scene = try scene()
    #expect(try takesBack([.cancel(PresentationID(name: "a"), reason: .requester, by: nil)], in: &scene))
    #expect(scene.stack() == "ab")
    #expect(scene.ordered() == "abcd")
  }

  @Test func `a presenter's going is taken back with what it did to the stack`() throws {
    var scene = try scene()
    #expect(try takesBack([.detach(PresenterID(1), surface: "main")], in: &scene))
    #expect(scene.surfaces.view(of: "main").presenters == [PresenterID(1)])
  }

  @Test func `several decisions are taken back in one call`() throws {
    var scene = try scene()
    var ticket = PresentationTicket(id: PresentationID(name: "e"), uid: 1)
    ticket.conflictPolicy = .cancelPrevious
    let events: [PresentationEvent] = [
      .dismiss(PresentationID(name: "b"), generation: nil, by: nil), .request(ticket, surface: "main"),
      .detach(PresenterID(1), surface: "main"), .cancel(PresentationID(name: "c"), reason: .admin, by: nil),
    ]
    #expect(try takesBack(events, in: &scene))
    #expect(try scene.answer("b") == ["b answered", "a presented 2"])
    #expect(try scene.answer("a") == ["a answered", "c presented 1"])
  }

  @Test func `a surface that was forgotten meanwhile is back`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    #expect(try takesBack([.cancel(PresentationID(name: "a"), reason: .requester, by: nil)], in: &scene))
    #expect(scene.surfaces.names == ["main"])
    #expect(scene.ordered() == "a")
  }

  @Test func `deadlines are back, and those of what never was are gone`() throws {
    var scene = try scene()
    var ticket = PresentationTicket(id: PresentationID(name: "e"), uid: 1)
    ticket.timeout = .seconds(1)
    let cancel = PresentationEvent.cancel(PresentationID(name: "b"), reason: .requester, by: nil)
    #expect(try takesBack([.request(ticket, surface: "main"), cancel], in: &scene))
    #expect(scene.surfaces.nextDeadline == .seconds(7))
    #expect(scene.wait(7) == ["b expired/presented", "a presented 2"])
  }

  @Test func `what was taken back no longer counts against the limits`() throws {
    var scene = Scene(limits: PresentationSurfaces.Limits(perUser: 1))
    let ticket = PresentationTicket(id: PresentationID(name: "a"), uid: 1)
    #expect(try takesBack([.request(ticket, surface: "main")], in: &scene))
    #expect(try scene.ask("b") == ["b requested", "b presented 1"])
  }
}
