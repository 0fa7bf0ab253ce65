import TestSupport
import Testing

@testable import RouterCore

// Promise P38.
@Suite struct OrderTests {
  @Test func `shows requests in order of arrival`() throws {
    var scene = Scene()
    #expect(try scene.ask("a") == ["a requested", "a presented 1"])
    #expect(try scene.ask("b") == ["b requested"])
    #expect(try scene.ask("c") == ["c requested"])
    #expect(try scene.answer("a") == ["a answered", "b presented 1"])
    #expect(try scene.dismiss("b") == ["b dismissed", "c presented 1"])
  }

  @Test func `orders by priority, then first in, first out`() throws {
    var scene = Scene(presenters: 0)
    for (name, priority): (Character, PresentationOptions.Priority) in [
      ("a", .low), ("b", .normal), ("c", .critical), ("d", .high), ("e", .critical), ("f", .low), ("g", .normal),
    ] {
      try scene.ask(name) { $0.draft.priority = priority }
    }
    #expect(scene.ordered() == "cedbgaf")
  }

  @Test func `alternates between users within a priority, first in, first out for each`() throws {
    var scene = Scene(presenters: 0)
    for name in "abcd" { try scene.ask(name, uid: 1) }
    try scene.ask("p", uid: 2)
    try scene.ask("x", uid: 3)
    for name in "qr" { try scene.ask(name, uid: 2) }
    try scene.ask("h", uid: 3) { $0.draft.priority = .high }
    #expect(scene.ordered() == "habpxcqdr")
    scene.attach(1)
    for name in "ha" { try scene.answer(name) }
    try scene.ask("y", uid: 3)
    #expect(scene.ordered() == "bpxcqydr")
  }

  @Test func `alternates between users with the same uid on two hosts`() throws {
    var scene = Scene(presenters: 0)
    for (name, host) in zip("abcd" as String, ["one", "one", "one", "two"]) {
      try scene.ask(name) { $0.requester.process.host = host }
    }
    #expect(scene.ordered() == "abdc")
  }

  @Test func `keeps the turns after a restart`() throws {
    var scene = Scene(presenters: 0)
    for (name, uid) in zip("abcpqx" as String, [1, 1, 1, 2, 2, 3] as [UInt32]) {
      try scene.ask(name, uid: uid) { $0.attached = false }
    }
    #expect(scene.ordered() == "abpxcq")
    scene.restart()
    #expect(scene.ordered() == "abpxcq")
    try scene.ask("y", uid: 3) { $0.attached = false }
    #expect(scene.ordered() == "abpxcqy")
  }

  @Test func `a held request gives no other user an earlier turn`() throws {
    var scene = Scene(presenters: 0)
    try scene.ask("a", uid: 1) { $0.useKey("k") }
    for name in "pq" { try scene.ask(name, uid: 2) { $0.attached = false } }
    scene.restart(grace: .seconds(100))
    scene.attach(1)
    scene.wait(1)
    // `a` keeps its position and is overtaken. The current turn is that of `q`.
    #expect(scene.stack() == "p")
    try scene.ask("x", uid: 3)
    #expect(scene.ordered() == "paqx")
  }

  /// However much another user has queued, a user's next request waits for at most two of that user's requests.
  @Test(arguments: 0..<200 as Range<UInt64>) func `a user waits for at most two turns of any other`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var surfaces = PresentationSurfaces()
    var (waiting, number): ([UInt32: [PresentationID]], Int) = ([:], 0)
    // For each waiting user, how often each other user was shown since.
    var passed: [UInt32: [UInt32: Int]] = [:]
    var last: PresentationID?
    func look() {
      guard let shown = surfaces.state.surfaces["main"]?.top, shown.id != last else { return }
      last = shown.id
      let shownUser = shown.owner.uid
      #expect(waiting[shownUser]?.removeFirst() == shown.id, "a user's own requests are out of order")
      passed[shownUser] = nil
      for user in waiting.keys where user != shownUser && waiting[user]?.isEmpty == false {
        passed[user, default: [:]][shownUser, default: 0] += 1
        #expect(passed[user, default: [:]][shownUser, default: 0] <= 2)
      }
    }
    _ = try surfaces.handle(.presenterAttached(PresenterID(1), PresenterIdentity(1), surface: "main"), at: .zero)
    for _ in 0..<300 {
      let user = UInt32(random.chance(60) ? 0 : random.below(4))
      for _ in 0..<random.below(user == 0 ? 6 : 2) {
        number += 1
        let ask = PresentationAsk(PresentationID(number: number), uid: user)
        _ = try surfaces.handle(.request(ask), at: .zero)
        waiting[user, default: []].append(ask.id)
        look()
      }
      guard random.chance(70), let shown = surfaces.state.surfaces["main"]?.top else { continue }
      _ = try surfaces.handle(.change(shown.id, Verbs.Dismiss()), at: .zero)
      look()
    }
  }

  @Test func `keeps the current prompt when a higher priority arrives`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.priority = .low }
    #expect(try scene.ask("b") { $0.draft.priority = .critical } == ["b requested"])
    #expect(scene.stack() == "a")
  }

  @Test func `shows prompts on each surface independently`() throws {
    var scene = Scene()
    scene.attach(1, to: "side")
    try scene.ask("a")
    #expect(try scene.ask("b", on: "side") == ["b requested", "b presented 1"])
  }

  @Test func `cancels a request in the middle of the queue`() throws {
    var scene = Scene()
    for name in "abcd" { try scene.ask(name) }
    #expect(try scene.cancel("c") == ["c cancelled/requester"])
    #expect(scene.ordered() == "abd")
  }

  @Test func `counts the requests ahead as the position`() throws {
    var scene = Scene()
    for name in "abc" { try scene.ask(name) }
    #expect("abc".map(scene.position(of:)) == [0, 1, 2])
    try scene.answer("a")
    #expect("bc".map(scene.position(of:)) == [0, 1])
  }

  @Test func `the position of an unknown presentation is 0`() {
    #expect(Scene().position(of: "z") == 0)
  }
}
