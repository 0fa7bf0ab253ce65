import RouterCore
import TestSupport
import Testing

@Suite struct ClockTests {
  @Test func `timeout runs from the request, queued or shown`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.timeout = .seconds(2) }
    try scene.ask("b") { $0.draft.timeout = .seconds(3) }
    try scene.ask("c") { $0.draft.timeout = .seconds(3) }
    #expect(scene.wait(1) == [])
    #expect(scene.wait(1) == ["a expired/presented", "b presented 1"])
    #expect(scene.wait(1) == ["b expired/presented", "c expired/queued"])
  }

  @Test func `queueTimeout expires a request that is not shown in time`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b") { $0.draft.queueTimeout = .seconds(2) }
    #expect(scene.wait(2) == ["b expired/queued"])
  }

  @Test func `queueTimeout ends at the first showing, even if the request queues again`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.queueTimeout = .seconds(2) }
    scene.detach(1)
    #expect(scene.wait(5) == [])
  }

  @Test func `shownTimeout does not run in the queue`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a") { $0.draft.shownTimeout = .seconds(2) }
    #expect(scene.wait(5) == [])
    scene.attach(1)
    #expect(scene.wait(1) == [])
    #expect(scene.wait(1) == ["a expired/presented"])
  }

  @Test func `shownTimeout pauses while no presenter is attached`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.shownTimeout = .seconds(3) }
    scene.wait(1)
    scene.detach(1)
    #expect(scene.wait(10) == [])
    scene.attach(1)
    #expect(scene.wait(1) == [])
    #expect(scene.wait(1) == ["a expired/presented"])
  }

  @Test func `shownTimeout pauses while the presentation is covered`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.shownTimeout = .seconds(3) }
    scene.wait(1)
    try scene.ask("b", over: "a")
    #expect(scene.wait(10) == [])
    try scene.answer("b")
    #expect(scene.wait(1) == [])
    #expect(scene.wait(1) == ["a expired/presented"])
  }

  @Test func `expires a covered presentation together with its stack`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.timeout = .seconds(2) }
    try scene.ask("b", over: "a")
    #expect(scene.wait(2) == ["b cancelled/parentEnded", "a expired/presented"])
  }

  @Test func `expires a presentation that returned to the queue as queued`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.timeout = .seconds(2) }
    scene.detach(1)
    #expect(scene.wait(2) == ["a expired/queued"])
  }

  @Test func `expires presentations in order of deadline, then of request`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a") { $0.draft.timeout = .seconds(3) }
    try scene.ask("b") { $0.draft.timeout = .seconds(2) }
    try scene.ask("c") { $0.draft.timeout = .seconds(2) }
    #expect(scene.wait(5) == ["b expired/queued", "c expired/queued", "a expired/queued"])
  }

  @Test func `the next deadline is the earliest across surfaces`() throws {
    var scene = Scene()
    #expect(scene.surfaces.nextDeadline == nil)
    try scene.ask("a", on: "side") { $0.draft.timeout = .seconds(5) }
    try scene.ask("b") { $0.draft.queueTimeout = .seconds(2) }
    try scene.ask("c") { $0.draft.queueTimeout = .seconds(3) }
    #expect(scene.surfaces.nextDeadline! <= .seconds(3))
    scene.wait(3)
    #expect(scene.surfaces.nextDeadline == .seconds(5))
  }

  @Test func `loses no time over a thousand pauses`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.shownTimeout = .seconds(1_000) }
    for _ in 0..<1_000 {
      scene.detach(1)
      scene.wait(1)
      scene.attach(1)
    }
    #expect(scene.surfaces.nextDeadline! > .seconds(1_000))
    #expect(scene.wait(1_000) == ["a expired/presented"])
  }
}
