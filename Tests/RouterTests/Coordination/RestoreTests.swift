import Testing

@testable import Router

/// The surfaces are built anew from what was on record.
@Suite struct RestoreTests {
  private func entry(
    _ name: Character, over parent: Character? = nil, lane: Int, rank: Int, generation: Int = 0,
    timeLeft: Duration? = nil, queueLeft: Duration? = nil, shownTimeout: Duration? = nil
  ) -> PresentationQueue.Entry {
    var ticket = PresentationTicket(id: PresentationID(name: name), uid: 1, over: parent.map { PresentationID(name: $0) })
    ticket.shownTimeout = shownTimeout
    return PresentationQueue.Entry(
      ticket: ticket, phase: .waiting(PresentationPlace(lane: lane, rank: rank)), generation: generation, timeLeft: timeLeft,
      queueLeft: queueLeft, now: .zero)
  }

  private func scene(_ entries: [PresentationQueue.Entry]) -> Scene {
    var scene = Scene(presenters: 0)
    scene.surfaces.restore(entries, on: "main")
    return scene
  }

  @Test func `the order is that of the places, however the entries come`() {
    let entries = [
      entry("a", lane: 3, rank: 4), entry("b", lane: 1, rank: 9), entry("c", lane: 0, rank: -2, generation: 3),
      entry("d", lane: 3, rank: 2), entry("e", over: "c", lane: 0, rank: -1, generation: 1),
    ]
    #expect(scene(entries).ordered() == "cebda")
    #expect(scene(entries.reversed()).ordered() == "cebda")
  }

  @Test func `what was shown is at the head, and comes as a new generation`() {
    var scene = scene([entry("a", lane: 3, rank: 0), entry("b", lane: 0, rank: -1, generation: 3)])
    #expect(scene.attach(1) == ["b presented 4"])
  }

  @Test func `who comes after a restart stands behind, and who goes back stands before`() throws {
    var scene = scene([entry("a", lane: 3, rank: 7), entry("b", lane: 0, rank: -5, generation: 1)])
    try scene.ask("c")
    #expect(scene.ordered() == "bac")
    try scene.ask("d") { $0.conflictPolicy = .cancelPrevious }
    #expect(scene.ordered() == "dac")
  }

  @Test func `what is left of the clocks runs on`() throws {
    var scene = scene([
      entry("a", lane: 3, rank: 0, timeLeft: .seconds(3)), entry("b", lane: 3, rank: 1, queueLeft: .seconds(2)),
    ])
    #expect(scene.surfaces.nextDeadline == .seconds(2))
    #expect(scene.wait(2) == ["b expired/queued"])
    #expect(scene.wait(1) == ["a expired/queued"])
  }

  @Test func `queueTimeout is over for what was shown before`() {
    var scene = scene([entry("a", lane: 0, rank: -1, generation: 1, queueLeft: .seconds(2))])
    #expect(scene.wait(5) == [])
  }

  @Test func `what is restored counts against the limits and can be stacked on`() throws {
    var scene = Scene(presenters: 0, limits: PresentationSurfaces.Limits(perUser: 2))
    scene.surfaces.restore([entry("a", lane: 3, rank: 0)], on: "main")
    #expect(try scene.ask("b", over: "a") == ["b requested"])
    #expect(throws: PresentationRejection.full(.user)) { try scene.ask("c") }
  }
}
