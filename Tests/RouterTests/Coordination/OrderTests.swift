import Testing

@testable import Router

@Suite struct OrderTests {
  @Test func `what is asked for first is shown first`() throws {
    var scene = Scene()
    #expect(try scene.ask("a") == ["a requested", "a presented 1"])
    #expect(try scene.ask("b") == ["b requested"])
    #expect(try scene.ask("c") == ["c requested"])
    #expect(try scene.answer("a") == ["a answered", "b presented 1"])
    #expect(try scene.dismiss("b") == ["b dismissed", "c presented 1"])
  }

  @Test func `a higher priority goes first, and first in, first out within one`() throws {
    var scene = Scene(presenters: 0)
    for (name, priority): (Character, PresentationPriority) in [
      ("a", .low), ("b", .normal), ("c", .critical), ("d", .high), ("e", .critical), ("f", .low), ("g", .normal),
    ] {
      try scene.ask(name) { $0.request.priority = priority }
    }
    #expect(scene.ordered() == "cedbgaf")
  }

  @Test func `what is shown stays, whatever comes`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.request.priority = .low }
    #expect(try scene.ask("b") { $0.request.priority = .critical } == ["b requested"])
    #expect(scene.stack() == "a")
  }

  @Test func `surfaces do not wait for one another`() throws {
    var scene = Scene()
    scene.attach(1, to: "side")
    try scene.ask("a")
    #expect(try scene.ask("b", on: "side") == ["b requested", "b presented 1"])
  }

  @Test func `whoever waits may leave from the middle of the line`() throws {
    var scene = Scene()
    for name in "abcd" { try scene.ask(name) }
    #expect(try scene.cancel("c") == ["c cancelled/requester"])
    #expect(scene.ordered() == "abd")
  }

  @Test func `the position says how many are ahead`() throws {
    var scene = Scene()
    for name in "abc" { try scene.ask(name) }
    #expect("abc".map(scene.position(of:)) == [0, 1, 2])
    try scene.answer("a")
    #expect("bc".map(scene.position(of:)) == [0, 1])
  }

  @Test func `the position of what is not open is 0`() {
    #expect(Scene().position(of: "z") == 0)
  }
}
