import RouterCore
import TestSupport
import Testing

/// Switching Router off and on.
/// Promise P99.
struct SwitchTests {
  private func turn(_ scene: inout Scene, off isOff: Bool, for duration: Duration? = nil) throws -> [String] {
    try scene.handle(.turn(isOff: isOff, for: duration, by: .user(1)))
  }

  private func isShown(_ name: Character, _ scene: Scene) -> Bool {
    scene.surfaces.entry(PresentationID(name: name))?.isShown == true
  }

  private func outcome(_ name: Character, _ scene: Scene) -> PresentationOutcome? {
    scene.events.lazy.compactMap { event in
      guard event.presentation == PresentationID(name: name), case .resolved(let end) = event.detail else { return nil }
      return end.outcome
    }.first
  }

  @Test func `off ends what can do without Router, and lets the rest wait`() throws {
    var scene = Scene()
    try scene.ask("a")
    for (name, policy) in [("b", .fail), ("c", .waitUnlessOff)] as [(Character, PresentationOptions.NoPresenterPolicy)] {
      try scene.ask(name) { $0.draft.noPresenter = policy }
    }
    #expect(isShown("a", scene))
    _ = try turn(&scene, off: true)
    #expect(!isShown("a", scene) && scene.surfaces.entry(PresentationID(name: "a")) != nil)
    #expect([outcome("b", scene), outcome("c", scene)] == [.cancelled(.off), .cancelled(.off)])
    try scene.ask("d")
    try scene.ask("e") { $0.draft.noPresenter = .waitUnlessOff }
    scene.attach(2)
    #expect(!isShown("d", scene) && outcome("d", scene) == nil && outcome("e", scene) == .cancelled(.off))
    _ = try turn(&scene, off: false)
    #expect(isShown("a", scene))
    try scene.ask("f") { $0.draft.noPresenter = .fail }
    #expect(outcome("f", scene) == nil)
  }

  @Test func `switches on by itself, whatever the wall clock says, and stays off over a restart`() throws {
    var scene = Scene()
    try scene.ask("a")
    _ = try turn(&scene, off: true, for: .seconds(60))
    scene.wait(59)
    #expect(!isShown("a", scene))
    scene.wait(1)
    #expect(isShown("a", scene))
    #expect(scene.surfaces.nextDeadline.map { $0 > scene.now } ?? true)

    let recorded = Switch(isOff: true, until: scene.moment.wall.advanced(by: .seconds(30)), by: .user(1))
    for later in [10, 30, 40] {
      let now = Moment(boot: .seconds(5), wall: scene.moment.wall.advanced(by: .seconds(later)))
      #expect(Standing([], switched: recorded, at: now).switched.at(now).isOff == (later < 30))
    }
    _ = try turn(&scene, off: true)
    scene.wait(86_399)
    #expect(!isShown("a", scene))
    scene.wait(1)
    #expect(isShown("a", scene))
  }

  @Test func `decides nothing by rules for a request that ends`() throws {
    var scene = Scene()
    _ = try turn(&scene, off: true)
    let rule = try RuleTests.rule(#"{"id": "no", "match": {"user": 1}, "then": "deny"}"#)
    try scene.handle(.loadRules(Event.RulesLoaded(RuleSet(file: "/r", text: "x", rules: [rule]))))
    try scene.ask("a") { $0.draft.noPresenter = .fail }
    #expect(outcome("a", scene) == .cancelled(.off))
  }

  @Test func `refuses agents of the last day and what they started`() throws {
    let agent = ProcessIdentity.Ancestor(pid: 50, started: 500, executable: "/usr/bin/agent")
    func process(_ ancestry: [ProcessIdentity.Ancestor]) -> ProcessIdentity {
      ProcessIdentity(uid: 1, gid: 1, pid: ancestry.first?.pid ?? 9, ancestry: ancestry)
    }
    let child = process([ProcessIdentity.Ancestor(pid: 60, started: 900), agent])
    let person = process([ProcessIdentity.Ancestor(pid: 70, started: 900)])
    var scene = Scene()
    scene.surfaces.policy.own = process([ProcessIdentity.Ancestor(pid: 5, started: 5)])
    try scene.ask("a") {
      $0.requester.process = child
      $0.draft.agent = 50
    }
    scene.wait(3600)
    for isOff in [true, false] {
      #expect(throws: PresentationRejection.agentSwitch) {
        try scene.handle(.turn(isOff: isOff, for: nil, by: Presentation.Responder(process: child)))
      }
      try scene.handle(.turn(isOff: isOff, for: nil, by: Presentation.Responder(process: person)))
    }
    scene.wait(86_400)
    try scene.handle(.turn(isOff: true, for: nil, by: Presentation.Responder(process: child)))
  }

  @Test(arguments: [9, 86_401]) func `refuses a time that is too short or too long`(seconds: Int) {
    var scene = Scene()
    #expect(throws: PresentationRejection.self) { try turn(&scene, off: true, for: .seconds(seconds)) }
    #expect(throws: PresentationRejection.self) { try turn(&scene, off: false, for: .seconds(60)) }
  }
}
