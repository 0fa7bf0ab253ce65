import TestSupport
import Testing

@testable import RouterCore

/// Restoring committed state after a coordinator restart.
@Suite struct RestartRulesTests {
  private func detached(_ ask: inout PresentationAsk) { ask.attached = false }
  private func keyed(_ ask: inout PresentationAsk) { ask.useKey("k\(ask.id)") }

  // MARK: Outcomes

  @Test func `interrupts attached requests unless a key lets their requester reconnect`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a")
    try scene.ask("b", keyed)
    try scene.ask("c", detached)
    try scene.askFlow("d", keyed)
    #expect(scene.restart() == ["a cancelled/interrupted", "d cancelled/interrupted"])
    #expect(scene.ordered() == "bc")
  }

  @Test func `ends a screen before its parent, and a child with its parent`() throws {
    var scene = Scene()
    try scene.askFlow("a")
    try scene.askFlow("b", over: "a")
    try scene.ask("c", over: "b", detached)
    #expect(
      scene.restart() == [
        "c withdrawn 1 interrupted", "b withdrawn 1 interrupted", "a withdrawn 1 interrupted",
        "c cancelled/parentEnded", "b cancelled/interrupted", "a cancelled/interrupted",
      ])
  }

  @Test func `returns shown prompts to the head of the queue with a new generation`() throws {
    var scene = Scene()
    try scene.ask("a", detached)
    try scene.ask("b") {
      $0.attached = false
      $0.draft.priority = .critical
    }
    #expect(scene.restart() == ["a withdrawn 1 interrupted"])
    #expect(scene.ordered() == "ab")
    #expect(scene.attach(1) == ["a presented 2"])
  }

  @Test func `enqueues new requests behind restored ones, and supersedes ahead of them`() throws {
    var scene = Scene(presenters: 0)
    for name in "ab" { try scene.ask(name, detached) }
    scene.restart()
    try scene.ask("c")
    #expect(scene.ordered() == "abc")
    try scene.ask("d") { $0.draft.conflictPolicy = .cancelPrevious }
    #expect(scene.ordered() == "dbc")
  }

  @Test func `keeps noPresenter requests`() throws {
    var scene = Scene()
    try scene.ask("a") {
      $0.attached = false
      $0.draft.noPresenter = .fail
    }
    #expect(scene.restart() == ["a withdrawn 1 interrupted"])
  }

  @Test func `counts restored requests against limits, allows stacking on them and continues numbering`() throws {
    var scene = Scene(presenters: 0, limits: Presentation.Limits(perUser: 2))
    try scene.ask("a", detached)
    scene.restart()
    #expect(try scene.ask("b", over: "a") == ["b requested"])
    #expect(scene.surfaces.entry(PresentationID(name: "b"))?.presentation.number == 2)
    #expect(throws: PresentationRejection.full(.user)) { try scene.ask("c") }
  }

  // MARK: Clocks

  @Test(arguments: [Duration.seconds(-100), .zero, .seconds(100)])
  func `timeouts continue during downtime, whatever the new boot clock says`(bootOffset: Duration) throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a") {
      $0.attached = false
      $0.draft.timeout = .seconds(5)
    }
    try scene.ask("b") {
      $0.attached = false
      $0.draft.queueTimeout = .seconds(4)
    }
    scene.restart(after: .seconds(2), bootOffset: bootOffset)
    #expect(scene.wait(1) == [])
    #expect(scene.wait(1) == ["b expired/queued"])
    #expect(scene.wait(1) == ["a expired/queued"])
  }

  @Test func `queueTimeout does not apply to a prompt that was shown before`() throws {
    var scene = Scene()
    try scene.ask("a") {
      $0.attached = false
      $0.draft.queueTimeout = .seconds(2)
    }
    scene.restart()
    #expect(scene.wait(5) == [])
  }

  @Test func `shownTimeout keeps its remaining time, and downtime counts`() throws {
    var scene = Scene()
    try scene.ask("a") {
      $0.attached = false
      $0.draft.shownTimeout = .seconds(6)
    }
    scene.wait(1)
    #expect(scene.restart(after: .seconds(2), bootOffset: .seconds(-50)) == ["a withdrawn 1 interrupted"])
    #expect(scene.wait(10) == [])
    scene.attach(1)
    #expect(scene.wait(2) == [])
    #expect(scene.wait(1) == ["a expired/presented"])
  }

  @Test func `shownTimeout that ran out during downtime expires as presented`() throws {
    var scene = Scene()
    try scene.ask("a") {
      $0.attached = false
      $0.draft.shownTimeout = .seconds(6)
    }
    #expect(scene.restart(after: .seconds(6)) == ["a withdrawn 1 interrupted", "a expired/presented"])
  }

  @Test func `a wall clock set back leaves no additional time`() throws {
    var scene = Scene()
    try scene.ask("a") {
      $0.attached = false
      $0.draft.shownTimeout = .seconds(6)
      $0.draft.timeout = .seconds(9)
    }
    let open = scene.surfaces.entries.map(\.presentation)
    let fold = PresentationFold(
      open.map { OpenPresentation($0, at: Moment(boot: .zero, wall: Moment(.seconds(4)).wall)) }, lastNumber: 1)
    var events: [Event] = []
    let hourAgo = Moment(boot: .zero, wall: Moment(.seconds(-3600)).wall)
    let surfaces = PresentationSurfaces(.init(), restarting: fold, at: hourAgo, grace: .zero, events: &events)
    #expect(surfaces.entry(PresentationID(name: "a"))?.presentation.shownFor == .seconds(4))
    #expect(surfaces.entry(PresentationID(name: "a"))?.expiry == .seconds(5))
  }

  // MARK: Reconnecting requesters

  @Test func `holds a keyed request for its requester until the grace period ends`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a", keyed)
    scene.restart(grace: .seconds(10))
    #expect(scene.attach(1) == [])
    #expect(scene.wait(9) == [])
    #expect(scene.wait(1) == ["a cancelled/interrupted"])
  }

  @Test func `shows a claimed request and keeps it open`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a", keyed)
    scene.restart(grace: .seconds(10))
    scene.attach(1)
    #expect(try scene.claim("a") == ["a presented 1"])
    #expect(scene.wait(100) == [])
  }

  @Test func `a repeated request with the key claims the held one`() throws {
    var scene = Scene(presenters: 1)
    try scene.ask("a") { $0.useKey("k") }
    scene.restart()
    scene.attach(1)
    #expect(try scene.ask("b") { $0.useKey("k") } == ["a presented 2"])
  }

  @Test func `shows claimed requests in the recorded order`() throws {
    var scene = Scene(presenters: 0)
    for name in "abc" { try scene.ask(name, keyed) }
    scene.restart()
    scene.attach(1)
    #expect(try scene.claim("c") == [])
    #expect(try scene.claim("b") == [])
    #expect(try scene.claim("a") == ["a presented 1"])
    #expect(try scene.answer("a") == ["a answered", "b presented 1"])
  }

  @Test func `lets others overtake held requests after a second, in the recorded order`() throws {
    var scene = Scene(presenters: 0)
    for name in "abc" { try scene.ask(name, keyed) }
    scene.restart()
    scene.attach(1)
    try scene.claim("c")
    try scene.claim("b")
    #expect(scene.surfaces.nextDeadline == .seconds(1))
    #expect(scene.wait(.milliseconds(999)) == [])
    #expect(scene.wait(.milliseconds(1)) == ["b presented 1"])
    #expect(try scene.answer("b") == ["b answered", "c presented 1"])
    #expect(try scene.claim("a") == [])
    #expect(scene.ordered() == "ca")
  }

  @Test func `a shorter grace period ends the hold earlier`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a", keyed)
    try scene.ask("b", detached)
    scene.restart(grace: .milliseconds(200))
    #expect(scene.attach(1) == [])
    #expect(scene.wait(.milliseconds(200)) == ["a cancelled/interrupted", "b presented 1"])
  }

  @Test func `a new request does not overtake a held one either`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a", keyed)
    scene.restart()
    scene.attach(1)
    #expect(try scene.ask("b") == ["b requested"])
    #expect(try scene.claim("a") == ["a presented 1"])
  }

  // MARK: Stopping

  @Test func `shutting down interrupts requests that cannot be restored and shows nothing new`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b", keyed)
    try scene.ask("c", detached)
    try scene.ask("d", over: "a")
    #expect(
      scene.surfaces.shutDown(at: scene.moment).sentences == ["d cancelled/interrupted", "a cancelled/interrupted"])
    #expect(scene.ordered() == "bc")
    #expect(scene.stack() == "")
  }
}
