import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

/// Answers that need several people, by the rules alone.
/// Promise P47.
struct RequirementTests {
  private static let buttons = [
    PresentationRequest.Button(id: "deploy", label: "Deploy"), PresentationRequest.Button(id: "later", label: "Later"),
    PresentationRequest.Button(id: "no", label: "No", role: .cancel),
  ]

  private static func person(_ uid: UInt32, host: String = "", login: UInt32? = nil) -> Presentation.Responder {
    var process = ProcessIdentity(uid: uid, gid: uid, pid: Int32(uid), host: host)
    process.loginUser = login
    return Presentation.Responder(process: process, presenter: "p\(uid)")
  }

  private static func presenter(_ uid: UInt32, host: String = "", since: Int64 = 0) -> PresenterIdentity {
    PresenterIdentity(
      name: "p\(uid)", process: person(uid, host: host).process, since: Timestamp(milliseconds: since))
  }

  /// A surface with presenters of users, whom user 1 asks.
  private func scene(
    _ requirement: PresentationRequest.Requirement = .init(2, button: "deploy"), presenters: [UInt32] = [2, 3],
    home: String = "",
    _ fill: (inout PresentationAsk) -> Void = { _ in }
  ) throws -> Scene {
    var scene = Scene(presenters: 0)
    scene.surfaces.policy.approvers.lists = ["ops": .init(users: [2, 3]), "all": .init(users: [2, 3, 4], groups: [5])]
    scene.surfaces.policy.home = home
    for uid in presenters { try attach(uid, host: home, to: &scene) }
    try scene.ask("a") {
      $0.draft.buttons = Self.buttons
      $0.draft.require = requirement
      fill(&$0)
    }
    return scene
  }

  private func attach(_ uid: UInt32, host: String = "", to scene: inout Scene) throws {
    try scene.handle(.presenterAttached(PresenterID(Int(uid)), Self.presenter(uid, host: host), surface: "main"))
  }

  @discardableResult private func answer(
    _ button: String = "deploy", by responder: Presentation.Responder, generation: Int? = nil, in scene: inout Scene
  ) throws -> [String] {
    try scene.handle(.change(PresentationID(name: "a"), Verbs.Answer(.button(button)), generation: generation, by: responder))
  }

  @Test func `counts an answer once enough people have given it, and shows it to the others`() throws {
    var scene = try scene(.init(3, button: "deploy"), presenters: [2, 3, 4])
    #expect(try answer(by: Self.person(2), in: &scene) == ["a answered on 1", "a presented 2"])
    #expect(scene.surfaces.entry(PresentationID(name: "a"))?.presentation.approvals.map(\.by) == [Self.person(2)])
    let shown = scene.events.compactMap { event in
      if case .presented(let shown) = event.detail { shown.presenters.map(\.uid) } else { nil }
    }
    #expect(shown == [[2, 3, 4], [3, 4]])
    #expect(try answer(by: Self.person(3), in: &scene) == ["a answered on 2", "a presented 3"])
    #expect(try answer(by: Self.person(4), in: &scene) == ["a answered"])
    let end = try #require(scene.events.last)
    guard case .resolved(let resolved) = end.detail else {
      Issue.record("it has not ended")
      return
    }
    #expect(resolved.by == Self.person(4) && resolved.outcome == .answered(.button("deploy")))
  }

  @Test func `counts each person once, whatever the presenter, the account or the generation`() throws {
    var scene = try scene(presenters: [2, 3])
    try answer(by: Self.person(2), in: &scene)
    var other = Self.person(2)
    other.presenter = "phone"
    for again in [Self.person(2), other, Self.person(7, login: 2)] {
      #expect(throws: PresentationRejection.approved(1, of: 2)) { try answer(by: again, in: &scene) }
      #expect(throws: PresentationRejection.approved(1, of: 2)) { try answer(by: again, generation: 1, in: &scene) }
    }
    // A login as another user is that user, and another host's user with the same number is another person.
    #expect(try answer(by: Self.person(2, host: "beta"), in: &scene) == ["a answered"])
  }

  @Test func `never counts the asker, in whatever role`() throws {
    let process = ProcessIdentity(
      uid: 1, gid: 1, pid: 60,
      ancestry: [.init(pid: 60, started: 1), .init(pid: 50, started: 1, uid: 7), .init(pid: 1, started: 1, uid: 0)])
    var scene = try scene { $0.requester.process = process }
    for asker in [Self.person(1), Self.person(7), Self.person(8, login: 1)] {
      #expect(throws: PresentationRejection.ownApproval) { try answer(by: asker, in: &scene) }
    }
    // Nor does the asker close it, in place of an answer; it may cancel it. Root starts everything.
    #expect(throws: PresentationRejection.ownApproval) {
      try scene.handle(.change(PresentationID(name: "a"), Verbs.Dismiss(), by: Self.person(1)))
    }
    #expect(throws: PresentationRejection.needsApprover(nil)) {
      try scene.handle(.change(PresentationID(name: "a"), Verbs.Answer(.button("deploy"))))
    }
    try answer(by: Self.person(0), in: &scene)
    #expect(try scene.cancel("a") == ["a cancelled/requester"])
  }

  @Test func `counts su and sudo as the person who ran them`() throws {
    func sudo(_ uid: UInt32, by user: UInt32) -> Presentation.Responder {
      Presentation.Responder(
        process: ProcessIdentity(
          uid: uid, gid: uid, pid: 80,
          ancestry: [.init(pid: 80, started: 1), .init(pid: 79, started: 1, uid: 0), .init(pid: 78, started: 1, uid: user)]))
    }
    var scene = try scene(presenters: [2, 3])
    #expect(throws: PresentationRejection.ownApproval) { try answer(by: sudo(9, by: 1), in: &scene) }
    try answer(by: Self.person(2), in: &scene)
    #expect(throws: PresentationRejection.approved(1, of: 2)) { try answer(by: sudo(9, by: 2), in: &scene) }
    #expect(try answer(by: sudo(9, by: 4), in: &scene) == ["a answered"])
  }

  @Test func `ends at one no, at another button and at a dismissal`() throws {
    for (button, expected) in [("no", "a answered"), ("later", "a answered")] {
      var scene = try scene()
      try answer(by: Self.person(2), in: &scene)
      #expect(try answer(button, by: Self.person(3), in: &scene) == [expected])
    }
    var scene = try scene()
    try answer(by: Self.person(2), in: &scene)
    #expect(try scene.handle(.change(PresentationID(name: "a"), Verbs.Dismiss(), by: Self.person(3))) == ["a dismissed"])
    // Without a button, every one that is not a no needs the same people.
    scene = try self.scene(.init(2), presenters: [2, 3, 4])
    try answer("deploy", by: Self.person(2), in: &scene)
    #expect(try answer("later", by: Self.person(3), in: &scene) == ["a answered on 2", "a presented 3"])
    #expect(try answer("later", by: Self.person(4), in: &scene) == ["a answered"])
  }

  @Test func `asks those again who chose another button than the last`() throws {
    var scene = try scene(.init(2), presenters: [2, 3])
    try answer("deploy", by: Self.person(2), in: &scene)
    #expect(try answer("later", by: Self.person(3), in: &scene) == ["a answered on 2", "a presented 3"])
    let approvals = { scene.surfaces.entry(PresentationID(name: "a"))?.presentation.approvals.map(\.button) }
    #expect(approvals() == ["later"])
    #expect(throws: PresentationRejection.approved(1, of: 2)) { try answer("deploy", by: Self.person(3), in: &scene) }
    #expect(try answer("deploy", by: Self.person(2), in: &scene) == ["a answered on 3", "a presented 4"])
    #expect(approvals() == ["deploy"])
    #expect(try answer("deploy", by: Self.person(3), in: &scene) == ["a answered"])
  }

  private static let unmet: [(PresentationRequest.Requirement, home: String, field: String?)] = [
    (.init(2, from: ["ops"]), "", "/require/answers"), (.init(2, hosts: 2), "", "/require/hosts"),
    (.init(2, from: ["none"]), "", "/require/from"),
    // Members of a group are not counted, nor are people of other hosts.
    (.init(2, from: ["all"]), "", nil), (.init(2, from: ["ops"], hosts: 2), "alpha", nil), (.init(2), "", nil),
  ]

  @Test(arguments: unmet)
  func `refuses what no people here can meet`(
    requirement: PresentationRequest.Requirement, home: String, field: String?
  ) throws {
    var scene = Scene(presenters: 0)
    scene.surfaces.policy.approvers.lists = ["ops": .init(users: [2]), "all": .init(users: [2], groups: [5])]
    scene.surfaces.policy.home = home
    var refused: String?
    do {
      try scene.ask("a") {
        $0.draft.buttons = Self.buttons
        $0.draft.require = requirement
      }
    } catch {
      refused = error.field
    }
    #expect(refused == field)
  }

  private static let reachable: [(everybody: Set<UInt32>, groups: Set<UInt32>, lists: [String], isMet: Bool)] = [
    // The asker is user 1.
    ([0, 1], [], [], false), ([1, 2], [], [], false), ([1, 2, 3], [], [], true), ([0, 2], [], [], true),
    ([1], [5], [], true), ([1, 2, 3], [], ["asker"], false), ([1, 2, 3], [], ["others"], true),
    ([0, 1, 2], [], ["others"], false), ([1, 2, 3], [], ["asker", "others"], false), ([1], [5], ["asker"], false),
    ([1, 2, 3], [], ["group"], true), ([0, 1], [], ["group"], false),
  ]

  @Test(arguments: reachable, [false, true])
  func `refuses what only the asker, or nobody, could meet`(
    row: (everybody: Set<UInt32>, groups: Set<UInt32>, lists: [String], isMet: Bool), isByRule: Bool
  ) throws {
    var scene = Scene(presenters: 0)
    scene.surfaces.policy.approvers.everybody = .init(users: row.everybody, groups: row.groups)
    scene.surfaces.policy.approvers.lists = [
      "asker": .init(users: [1, 2]), "others": .init(users: [2, 3]), "group": .init(users: [1], groups: [5]),
    ]
    let requirement = PresentationRequest.Requirement(2, from: row.lists)
    if isByRule {
      var condition = RuleCondition()
      condition.texts[.surface] = [try TextPattern("**")]
      let rules = RuleSet(
        file: "rules.yaml", text: "", rules: [try Rule("two", condition, .ask(.init(require: requirement)))])
      _ = try scene.surfaces.handle(.loadRules(Event.RulesLoaded(rules)), at: scene.moment)
    }
    var refused: String?
    do {
      try scene.ask("a") {
        $0.draft.buttons = Self.buttons
        if !isByRule { $0.draft.require = requirement }
      }
    } catch {
      refused = error.field
    }
    #expect(refused == (row.isMet ? nil : "/require/answers"))
  }

  @Test func `waits for people without blocking the queue, and survives a restart`() throws {
    var scene = try scene(presenters: [2]) { $0.attached = false }
    try scene.ask("b", uid: 1)
    #expect(try answer(by: Self.person(2), in: &scene) == ["a answered on 1", "a withdrawn 1 approved", "b presented 1"])
    try attach(3, to: &scene)
    try scene.answer("b")
    #expect(scene.surfaces.entry(PresentationID(name: "a"))?.isOnTop == true)
    scene.restart()
    #expect(scene.surfaces.entry(PresentationID(name: "a"))?.presentation.approvals.count == 1)
    #expect(throws: PresentationRejection.self) { try answer(by: Self.person(2), in: &scene) }
    try attach(3, to: &scene)
    #expect(throws: PresentationRejection.approved(1, of: 2)) { try answer(by: Self.person(2), in: &scene) }
    #expect(try answer(by: Self.person(3), in: &scene) == ["a answered"])
  }

  @Test func `is not shown to the asker's own presenter`() throws {
    var scene = try scene(presenters: [1])
    #expect(scene.surfaces.entry(PresentationID(name: "a"))?.isShown == false)
    try attach(2, to: &scene)
    #expect(scene.surfaces.entry(PresentationID(name: "a"))?.isShown == true)
  }

  @Test func `takes only members of all its lists, by user or primary group`() throws {
    var scene = try scene(.init(2, from: ["ops", "all"]), presenters: [2, 3, 4])
    #expect(throws: PresentationRejection.needsApprover("ops")) { try answer(by: Self.person(4), in: &scene) }
    try answer(by: Self.person(2), in: &scene)
    #expect(try answer(by: Self.person(3), in: &scene) == ["a answered"])
    scene = try self.scene(.init(2, from: ["all"]), presenters: [2, 9])
    let member = Presentation.Responder(process: ProcessIdentity(uid: 9, gid: 5, pid: 9))
    try answer(by: member, in: &scene)
    #expect(throws: PresentationRejection.self) { try self.scene(.init(2, from: ["nobody"])) }
  }

  @Test func `may need people of several hosts`() throws {
    var scene = try scene(.init(2, button: "deploy", hosts: 2), presenters: [2, 3], home: "alpha")
    try attach(4, host: "beta", to: &scene)
    try answer(by: Self.person(2, host: "alpha"), in: &scene)
    #expect(try answer(by: Self.person(3, host: "alpha"), in: &scene).first == "a answered on 2")
    #expect(try answer(by: Self.person(4, host: "beta"), in: &scene) == ["a answered"])
  }

  @Test(arguments: SelfAnswerRule.allCases)
  func `takes no approval of a person who asks from another host, or has approved there`(rule: SelfAnswerRule) throws {
    var scene = try scene(.init(2, button: "deploy"), presenters: [2, 3], home: "alpha") {
      $0.requester.process.host = "alpha"
    }
    try attach(1003, host: "beta", to: &scene)
    try attach(1002, host: "beta", to: &scene)
    var people = People()
    let accounts =
      [("alpha", 1, "ada"), ("beta", 1003, "ada"), ("alpha", 2, "bob"), ("beta", 1002, "bob")] as [(String, UInt32, String)]
    let added = accounts.map { people.add(Owner(host: $0, uid: $1), of: $2) }
    let isTwo = people.add(Owner(host: "beta", uid: 1003), of: "bob")
    #expect(!added.contains(false) && !isTwo)
    scene.surfaces.policy.people = people
    scene.surfaces.policy.selfAnswer = rule
    let own: PresentationRejection = rule == .user ? .selfAnswer(.user) : .ownApproval
    #expect(throws: own) { try answer(by: Self.person(1003, host: "beta"), in: &scene) }
    #expect(throws: own) { try answer("no", by: Self.person(1003, host: "beta"), in: &scene) }
    // After su on the other host.
    #expect(throws: PresentationRejection.ownApproval) {
      try answer(by: Self.person(1004, host: "beta", login: 1003), in: &scene)
    }
    try answer(by: Self.person(2, host: "alpha"), in: &scene)
    #expect(throws: PresentationRejection.approved(1, of: 2)) { try answer(by: Self.person(1002, host: "beta"), in: &scene) }
    // The same number on another host is another person.
    #expect(try answer(by: Self.person(1, host: "beta"), in: &scene) == ["a answered"])
  }

  @Test func `expires with partial approvals on record`() throws {
    var scene = try scene { $0.draft.timeout = .seconds(60) }
    try answer(by: Self.person(2), in: &scene)
    #expect(scene.wait(60) == ["a expired/presented"])
  }

  @Test func `expires after an hour without a timeout`() throws {
    let valid = try ValidRequest(Self.request())
    #expect(valid.request.timeout == .seconds(3600))
  }

  private static func request(_ fill: (inout PresentationRequest) -> Void = { _ in }) -> PresentationRequest {
    var request = PresentationRequest(kind: .alert, title: "Deploy?", buttons: buttons)
    request.require = .init(2)
    fill(&request)
    return request
  }

  private static let misfits: [@Sendable (inout PresentationRequest) -> Void] = [
    { $0.sensitive = true }, { $0.over = PresentationID(number: 1) },
    {
      $0.act = Act("x"); $0.remember = .init()
    }, { $0.buttons = [.init(id: "no", label: "No", role: .cancel)] },
    { $0.require?.button = "no" }, { $0.require?.button = "x" },
    {
      $0 = PresentationRequest(kind: .sheet, sheet: "s"); $0.require = .init(2)
    },
  ]

  @Test(arguments: misfits.indices) func `refuses requests that several people cannot answer`(index: Int) {
    #expect(throws: JSONError.self) { try ValidRequest(Self.request(Self.misfits[index])) }
  }

  @Test(arguments: [
    #"{"answers": 1}"#, #"{"answers": 17}"#, #"{"answers": 2, "hosts": 3}"#, #"{"answers": 2, "from": ""}"#,
    #"{"answers": 2, "form": "x"}"#, #"{"answers": "2"}"#,
  ])
  func `refuses wrong requirements`(text: String) {
    #expect(throws: JSONError.self) {
      try PresentationRequest.Requirement(json: JSONValue(parsing: Array(text.utf8)), at: "/require")
    }
  }

  @Test func `keeps approvals through events and JSON`() throws {
    var scene = try scene()
    try answer(by: Self.person(2, login: 9), in: &scene)
    let presentation = try #require(scene.surfaces.entry(PresentationID(name: "a"))?.presentation)
    #expect(try Presentation(json: presentation.json).approvals == presentation.approvals)
    var folded: Presentation?
    for event in scene.events where event.presentation == presentation.id {
      let read = try Event(at: event.at, kind: event.kind, presentation: event.presentation, detail: event.detailText.value)
      #expect(read == event)
      if folded == nil { folded = try Presentation(read) } else { try folded?.apply(read) }
    }
    #expect(folded == presentation && folded?.approvals.first?.by.process.loginUser == 9)
  }

  @Test func `a rule raises what a request needs, and never lowers it`() throws {
    func asked(_ own: PresentationRequest.Requirement?, _ rule: String, _ fill: (inout PresentationRequest) -> Void = { _ in })
      throws -> Scene
    {
      var scene = Scene(presenters: 0)
      // On a surface that is not shared, several hosts are refused.
      scene.surfaces.policy.home = "alpha"
      scene.surfaces.policy.approvers.lists = ["ops": .init(groups: [9]), "dev": .init(groups: [9])]
      let text = #"{"id": "two", "match": {"surface": "main"}, "then": "require", "require": \#(rule)}"#
      _ = try scene.handle(.loadRules(Event.RulesLoaded(RuleSet(file: "/r", text: text, rules: [try RuleTests.rule(text)]))))
      try scene.ask("a") {
        $0.draft.buttons = Self.buttons
        $0.draft.require = own
        fill(&$0.draft)
      }
      return scene
    }
    func requirement(_ scene: Scene) -> PresentationRequest.Requirement? {
      scene.surfaces.entry(PresentationID(name: "a"))?.request.require
    }
    #expect(requirement(try asked(nil, #"{"answers": 2, "from": "ops"}"#)) == .init(2, from: ["ops"]))
    #expect(
      requirement(try asked(.init(3, button: "deploy", from: ["dev"]), #"{"answers": 2, "from": "ops", "hosts": 2}"#))
        == .init(3, from: ["dev", "ops"], hosts: 2))
    // Neither a remembered answer nor one person gets past it.
    let remembering = try asked(nil, #"{"answers": 2}"#) {
      $0.act = Act("x"); $0.remember = .init()
    }
    #expect(remembering.surfaces.entry(PresentationID(name: "a"))?.presentation.offer == nil)
    let form = try asked(nil, #"{"answers": 2}"#) { $0 = PresentationRequest(kind: .sheet, sheet: "s") }
    #expect(requirement(form) == nil)
    #expect(
      form.events.contains { if case .resolved(let end) = $0.detail { end.outcome == .cancelled(.refused) } else { false } })
  }

  @Test func `ends exactly when a plain count says so, for random people`() throws {
    var random = SplitMix64(seed: 36)
    for seed in 0..<300 {
      let needed = 2 + random.below(3)
      var scene = try scene(.init(needed, button: "deploy"), presenters: [2, 3, 4, 5, 6])
      var people: Set<String> = []
      for _ in 0..<20 {
        let (uid, host) = (UInt32(1 + random.below(6)), random.pick(["", "", "beta"]))
        let isNo = random.chance(5)
        let isAsker = uid == 1 && host.isEmpty
        let isNew = !isAsker && (isNo || !people.contains("\(uid)@\(host)"))
        let before = scene.events.count
        let result = Result { try answer(isNo ? "no" : "deploy", by: Self.person(uid, host: host), in: &scene) }
        #expect(((try? result.get()) != nil) == isNew, "seed 36, run \(seed)")
        guard isNew else { continue }
        if !isNo { people.insert("\(uid)@\(host)") }
        let hasEnded = scene.events[before...].contains { if case .resolved = $0.detail { true } else { false } }
        #expect(hasEnded == (isNo || people.count == needed), "seed 36, run \(seed)")
        if hasEnded { break }
      }
    }
  }
}
