import Testing

@testable import Router

@Suite struct ClockTests {
  @Test func `timeout runs from the request, waiting or shown`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.request.timeout = .seconds(2) }
    try scene.ask("b") { $0.request.timeout = .seconds(3) }
    try scene.ask("c") { $0.request.timeout = .seconds(3) }
    #expect(scene.wait(1) == [])
    #expect(scene.wait(1) == ["a expired/presented", "b presented 1"])
    #expect(scene.wait(1) == ["b expired/presented", "c expired/queued"])
  }

  @Test func `queueTimeout ends what was not shown in time`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b") { $0.request.queueTimeout = .seconds(2) }
    #expect(scene.wait(2) == ["b expired/queued"])
  }

  @Test func `queueTimeout is over when it is first shown, also if it has to wait again`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.request.queueTimeout = .seconds(2) }
    scene.detach(1)
    #expect(scene.wait(5) == [])
  }

  @Test func `shownTimeout does not run in the queue`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a") { $0.request.shownTimeout = .seconds(2) }
    #expect(scene.wait(5) == [])
    scene.attach(1)
    #expect(scene.wait(1) == [])
    #expect(scene.wait(1) == ["a expired/presented"])
  }

  @Test func `shownTimeout keeps what is left while no presenter is attached`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.request.shownTimeout = .seconds(3) }
    scene.wait(1)
    scene.detach(1)
    #expect(scene.wait(10) == [])
    scene.attach(1)
    #expect(scene.wait(1) == [])
    #expect(scene.wait(1) == ["a expired/presented"])
  }

  @Test func `shownTimeout keeps what is left while it is covered`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.request.shownTimeout = .seconds(3) }
    scene.wait(1)
    try scene.ask("b", over: "a")
    #expect(scene.wait(10) == [])
    try scene.answer("b")
    #expect(scene.wait(1) == [])
    #expect(scene.wait(1) == ["a expired/presented"])
  }

  @Test func `a covered presentation whose timeout is over takes its stack with it`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.request.timeout = .seconds(2) }
    try scene.ask("b", over: "a")
    #expect(scene.wait(2) == ["b cancelled/parentEnded", "a expired/presented"])
  }

  @Test func `one that was shown and waits again expires as queued`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.request.timeout = .seconds(2) }
    scene.detach(1)
    #expect(scene.wait(2) == ["a expired/queued"])
  }

  @Test func `what is due ends in the order in which it was due, then in that of asking`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a") { $0.request.timeout = .seconds(3) }
    try scene.ask("b") { $0.request.timeout = .seconds(2) }
    try scene.ask("c") { $0.request.timeout = .seconds(2) }
    #expect(scene.wait(5) == ["b expired/queued", "c expired/queued", "a expired/queued"])
  }

  @Test func `the next deadline is the earliest of all surfaces`() throws {
    var scene = Scene()
    #expect(scene.surfaces.nextDeadline == nil)
    try scene.ask("a", on: "side") { $0.request.timeout = .seconds(5) }
    try scene.ask("b") { $0.request.queueTimeout = .seconds(2) }
    try scene.ask("c") { $0.request.queueTimeout = .seconds(3) }
    #expect(scene.surfaces.nextDeadline! <= .seconds(3))
    scene.wait(3)
    #expect(scene.surfaces.nextDeadline == .seconds(5))
  }

  @Test func `a clock that stood a thousand times has lost nothing`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.request.shownTimeout = .seconds(1_000) }
    for _ in 0..<1_000 {
      scene.detach(1)
      scene.wait(1)
      scene.attach(1)
    }
    #expect(scene.surfaces.nextDeadline! > .seconds(1_000))
    #expect(scene.wait(1_000) == ["a expired/presented"])
  }
}
