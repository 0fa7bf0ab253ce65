import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

/// Remembered answers, by the rules alone.
/// Promises P43, P55, P95.
struct StandingTests {
  private static let shell = ProcessIdentity.Ancestor(pid: 10, started: 100, executable: "/bin/bash")
  private static let agent = ProcessIdentity.Ancestor(pid: 50, started: 500, executable: "/usr/bin/agent")

  private static func process(
    uid: UInt32 = 1, _ ancestry: [ProcessIdentity.Ancestor]? = [.init(pid: 60, started: 600), agent, shell]
  ) -> ProcessIdentity {
    ProcessIdentity(uid: uid, gid: uid, pid: 60, executable: "/usr/bin/routerctl", ancestry: ancestry)
  }

  private static func scene(perUser: Int = 256, perMinute: Int = 600, selfAnswer: SelfAnswerRule = .off) -> Scene {
    var scene = Scene()
    scene.surfaces.policy.selfAnswer = selfAnswer
    scene.surfaces.policy.grants = GrantPolicy(
      longest: .seconds(43_200), perUser: perUser, perMinute: perMinute, verbs: ["deploy"])
    return scene
  }

  /// Asks with an act whose answer may be remembered.
  @discardableResult private func ask(
    _ name: Character, _ act: Act = Act("run", object: "x"), in scene: inout Scene,
    matches: [PresentationRequest.Remember.Match] =
      PresentationRequest.Remember.Match.allCases, _ fill: (inout PresentationAsk) -> Void = { _ in }
  ) throws -> [String] {
    try scene.ask(name) {
      $0.requester.process = Self.process()
      $0.boot = "boot"
      $0.draft.act = act
      $0.draft.remember = PresentationRequest.Remember(matches: matches)
      $0.draft.agent = 50
      $0.draft.buttons = [
        PresentationRequest.Button(id: "a", label: "Allow"), PresentationRequest.Button(id: "d", label: "Deny", role: .cancel),
      ]
      fill(&$0)
    }
  }

  private static let person = Presentation.Responder(
    process: ProcessIdentity(uid: 1, gid: 1, pid: 900, ancestry: [.init(pid: 900, started: 900), shell]))

  @discardableResult private func remember(
    _ name: Character, _ button: String = "a", _ choice: GrantChoice = GrantChoice(for: .session), in scene: inout Scene,
    by resolver: Presentation.Responder = person
  ) throws -> [String] {
    var choice = choice
    choice.id = PresentationID(name: "g")
    var extra = AnswerExtra()
    extra.remember = choice
    return try scene.handle(.change(PresentationID(name: name), Verbs.Answer(.button(button), extra), by: resolver))
  }

  @Test func `settles equal requests, waiting and later, in one decision each`() throws {
    var scene = Self.scene()
    for name in ["a", "b", "c"] as [Character] {
      try ask(name, name == "c" ? Act("run", object: "y") : Act("run", object: "x"), in: &scene)
    }
    #expect(try remember("a", in: &scene) == ["a answered", "b answered", "c presented 1"])
    let settled = scene.events.last { $0.presentation == PresentationID(name: "b") }
    guard case .resolved(let end) = settled?.detail else {
      Issue.record("b has not ended")
      return
    }
    #expect(
      end.because == .grant(PresentationID(name: "g")) && end.by == Self.person && end.generation == nil && end.shownFor == nil)
    #expect(try ask("d", in: &scene) == ["d requested", "d answered"])
    #expect(try ask("e", Act("run", object: "z"), in: &scene) == ["e requested"])
  }

  @Test func `compares acts by their bytes, whatever the order of variables`() throws {
    var scene = Self.scene()
    try ask("a", Act("run", object: "caf\u{E9}", environment: ["A": "1", "B": "2"]), in: &scene)
    try remember("a", in: &scene)
    #expect(
      try ask("b", Act("run", object: "cafe\u{301}", environment: ["A": "1", "B": "2"]), in: &scene) == [
        "b requested", "b presented 1",
      ])
    #expect(
      try ask("c", Act("run", object: "caf\u{E9}", environment: ["B": "2", "A": "1"]), in: &scene) == [
        "c requested", "c answered",
      ])
    #expect(try ask("d", Act("run", object: "caf\u{E9}", directory: "/"), in: &scene) == ["d requested"])
  }

  /// An act of about a megabyte, which ends in a text.
  private static func large(_ end: String) -> Act {
    let filler = String(repeating: "x", count: 65_000)
    let variables = (0..<12).map { ("V\($0)", filler) } + [("LAST", end)]
    return Act(
      "Bash", arguments: ["git", "log"], directory: "/s",
      environment: OrderedDictionary(uniqueKeysWithValues: variables))
  }

  @Test(arguments: [.exact, .prefix] as [PresentationRequest.Remember.Match])
  func `keeps a digest and a short text of a large act`(match: PresentationRequest.Remember.Match) throws {
    var scene = Self.scene()
    try ask("a", Self.large("1"), in: &scene)
    try remember("a", "a", GrantChoice(GrantOffer.Width(match), for: .session), in: &scene)
    let grant = try #require(scene.surfaces.standing.grants().first)
    #expect(grant.bytes < 4096 && grant.coverage.utf8.count < 1100, "\(grant.bytes)")
    #expect(grant.coverage.contains("git log") && grant.coverage.contains(" in /s"))
    #expect(try ask("b", Self.large("1"), in: &scene) == ["b requested", "b answered"])
    #expect(try ask("c", Self.large("2"), in: &scene) == ["c requested", "c presented 1"])
  }

  @Test(arguments: [.exact, .prefix, .under, .verb] as [PresentationRequest.Remember.Match])
  func `reads a grant that was recorded with the act`(match: PresentationRequest.Remember.Match) throws {
    let act =
      match == .prefix || match == .exact
      ? Act("Bash", arguments: ["git", "log", "cafe\u{301}"], directory: "/s", environment: ["B": "1", "A": "2"])
      : Act("deploy", object: "/s/d/f", directory: "/s")
    var scene = Self.scene()
    try ask("a", act, in: &scene)
    try remember("a", "a", GrantChoice(GrantOffer.Width(match), for: .session), in: &scene)
    let grant = try #require(scene.surfaces.standing.grants().first)
    var json = try #require(JSONText(grant).value.object)
    (json["verb"], json["sha256"], json["coverage"]) = (nil, nil, nil)
    json["act"] = try #require(act.part(grant.condition.width)).json
    #expect(try Grant(json: .object(json)) == grant)
  }

  @Test func `counts grants to the bytes of their user`() throws {
    var scene = Self.scene()
    try ask("a", in: &scene)
    try remember("a", in: &scene)
    let kept = scene.surfaces.standing.bytes(of: Owner(host: "", uid: 1))
    #expect(kept == scene.surfaces.standing.grants().first?.bytes)
    try ask("b", Act("run", object: "y"), in: &scene)
    let open = try #require(scene.surfaces.entry(PresentationID(name: "b"))?.presentation.requestText.bytes.count)
    scene.surfaces.policy.limits.bytesPerUser = kept + 2 * open - 1
    #expect(throws: PresentationRejection.full(.bytes)) { try ask("c", Act("run", object: "z"), in: &scene) }
    scene.surfaces.policy.limits.bytesPerUser = 2 * kept - 1
    #expect(throws: PresentationRejection.full(.grants)) { try remember("b", in: &scene) }
    scene.surfaces.policy.limits.bytesPerUser = kept + 2 * open
    #expect(try ask("c", Act("run", object: "z"), in: &scene) == ["c requested"])
    _ = try scene.handle(.revoke(PresentationID(name: "g"), by: Self.person, isAdmin: false))
    #expect(scene.surfaces.standing.bytes(of: Owner(host: "", uid: 1)) == 0)
  }

  @Test(
    arguments: [
      (["git", "log", "main"], "/s", true), (["git", "log", "main", "--stat"], "/s", true),
      (["git", "log"], "/s", true), (["git", "log", "--ext-diff"], "/s", false),
      (["git", "push"], "/s", false), (["git"], "/s", false), (["git", "log", "x"], "/t", false),
      (["git", "l", "og"], "/s", false), (["git", "log", "--outp=x"], "/s", false),
      (["git", "log", "--output=x"], "/s", false),
      (["git", "log", "-pOx"], "/s", false), (["git", "log", "-p", "--"], "/s", true),
    ] as [([String], String, Bool)])
  func `covers commands with the same first arguments in the same directory`(
    arguments: [String], directory: String, isCovered: Bool
  ) throws {
    var scene = Self.scene()
    try ask("a", Act("Bash", object: "git log main", arguments: ["git", "log", "main"], directory: "/s"), in: &scene)
    try remember("a", "a", GrantChoice(GrantOffer.Width(.prefix), for: .session), in: &scene)
    let act = Act("Bash", object: arguments.joined(separator: " "), arguments: arguments, directory: directory)
    #expect(try ask("b", act, in: &scene) == ["b requested", isCovered ? "b answered" : "b presented 1"])
  }

  @Test(arguments: [
    ["sh", "-c", "x"], ["env", "A=1", "x"], ["sudo", "x"], ["find", ".", "x"], ["python3.12", "x"], ["/usr/bin/env", "x"],
    ["npx", "x"],
    ["git", "-c", "core.pager=x", "log"], ["A=1", "x"], ["git"], ["busybox.static", "sh"], ["linux64", "sh"],
    ["docker-compose", "run", "web"], ["/usr/bin/flock", "/l", "x"],
    ["git", "-C", "/x", "status"], ["rm", "-r", "x"], ["git", "bisect", "start"], ["git", "submodule", "status"],
    ["git", "an-alias", "x"], ["run0", "x"], ["g++", "x"],
    ["g++-12", "x"], ["gcc-12", "x"], ["git", "push", "/x"], ["sqlite3", "x"],
  ])
  func `offers no prefix for programs that run others, or before options`(arguments: [String]) throws {
    var scene = Self.scene()
    try ask("a", Act("Bash", arguments: arguments, directory: "/s"), in: &scene)
    #expect(scene.surfaces.entry(PresentationID(name: "a"))?.presentation.offer?.widths.map(\.match) == [.exact])
    #expect(throws: PresentationRejection.self) {
      try remember("a", "a", GrantChoice(GrantOffer.Width(.prefix), for: .session), in: &scene)
    }
    #expect(scene.surfaces.entry(PresentationID(name: "a"))?.isShown == true)
  }

  @Test(arguments: [
    ("/s/f", true), ("/s/d/f", true), ("/s", false), ("/sx/f", false), ("/s/../t", false), ("/s/./f", false), ("/s//f", false),
    ("s/f", false), ("~/f", false), ("/s/f ", false),
  ])
  func `covers files below the directory`(path: String, isCovered: Bool) throws {
    var scene = Self.scene()
    try ask("a", Act("Edit", object: "/s/a", directory: "/s"), in: &scene)
    try remember("a", "a", GrantChoice(GrantOffer.Width(.under), for: .session), in: &scene)
    #expect(
      try ask("b", Act("Edit", object: path, directory: "/s"), in: &scene) == [
        "b requested", isCovered ? "b answered" : "b presented 1",
      ])
    #expect(try ask("c", Act("Write", object: path, directory: "/s"), in: &scene).last?.hasSuffix("answered") == false)
  }

  @Test func `remembers for the program that asks, without an agent or a shell above it`() throws {
    let (script, service) = (
      ProcessIdentity.Ancestor(pid: 60, started: 600, executable: "/usr/bin/python3"),
      ProcessIdentity.Ancestor(pid: 1, started: 1)
    )
    let tool = ProcessIdentity.Ancestor(pid: 70, started: 700, executable: "/usr/bin/routerctl")
    var scene = Self.scene()
    func ask(_ name: Character, _ ancestry: [ProcessIdentity.Ancestor]) throws -> [String] {
      try self.ask(name, in: &scene) {
        $0.requester.process = Self.process(ancestry)
        $0.draft.agent = nil
        $0.draft.remember = PresentationRequest.Remember(periods: [.session, .seconds(60)])
      }
    }
    _ = try ask("a", [tool, script, service])
    let offer = scene.surfaces.entry(PresentationID(name: "a"))?.presentation.offer
    #expect(offer?.anchor == script && offer?.periods == [.session])
    try remember("a", in: &scene)
    #expect(try ask("b", [tool, script, service]) == ["b requested", "b answered"])
    let later = ProcessIdentity.Ancestor(pid: 61, started: 610, executable: "/usr/bin/python3")
    #expect(try ask("c", [tool, later, service]) == ["c requested", "c presented 1"])
  }

  @Test func `covers a whole verb only if the settings have it`() throws {
    var scene = Self.scene()
    try ask("a", Act("deploy", object: "one", directory: "/s"), in: &scene)
    try remember("a", "a", GrantChoice(GrantOffer.Width(.verb), for: .session), in: &scene)
    #expect(try ask("b", Act("deploy", object: "two", directory: "/s"), in: &scene) == ["b requested", "b answered"])
    #expect(try ask("c", Act("deploy", object: "two", directory: "/t"), in: &scene) == ["c requested", "c presented 1"])
    try ask("d", Act("run", object: "x", directory: "/s"), in: &scene)
    #expect(
      scene.surfaces.entry(PresentationID(name: "d"))?.presentation.offer?.widths.contains(GrantOffer.Width(.verb)) == false)
  }

  private static let changes: [(String, @Sendable (inout PresentationAsk) -> Void)] = [
    ("another user", { $0.requester.process = process(uid: 2) }),
    (
      "another session",
      {
        $0.requester.process = process([
          .init(pid: 60, started: 600), .init(pid: 51, started: 501, executable: "/usr/bin/agent"), shell,
        ])
        $0.draft.agent = 51
      }
    ),
    (
      "a later process with the same id",
      {
        $0.requester.process = process([
          .init(pid: 60, started: 600), .init(pid: 50, started: 501, executable: "/usr/bin/agent"), shell,
        ])
      }
    ),
    ("another boot", { $0.boot = "later" }),
    (
      "an unknown ancestry",
      {
        $0.requester.process = process(nil)
        $0.draft.agent = nil
      }
    ),
    ("another label", { $0.draft.buttons[0].label = "Delete everything" }),
    ("a destructive button", { $0.draft.buttons[0].role = .destructive }),
    ("a button that is not offered", { $0.draft.remember?.buttons = ["d"] }),
    ("a critical prompt", { $0.draft.severity = .critical }),
    ("a critical priority", { $0.draft.priority = .critical }),
    ("no offer to remember", { $0.draft.remember = nil }),
    ("another surface", { $0.draft.surface = "other" }),
  ]

  @Test(arguments: changes)
  func `asks a person again for`(what: String, change: @Sendable (inout PresentationAsk) -> Void) throws {
    var scene = Self.scene()
    try ask("a", in: &scene)
    try remember("a", in: &scene)
    #expect(try ask("b", in: &scene, change).contains { $0.hasSuffix("answered") } == false)
    #expect(try ask("c", in: &scene) == ["c requested", "c answered"])
  }

  @Test func `a refusal comes first, and an ancestry that cannot be seen does not lift it`() throws {
    var scene = Self.scene()
    try ask("a", in: &scene)
    try remember("a", "d", in: &scene)
    #expect(try ask("b", in: &scene) == ["b requested", "b answered"])
    guard case .resolved(let end) = scene.events.last?.detail else {
      Issue.record("b has not ended")
      return
    }
    #expect(end.outcome == .answered(.button("d")))
    #expect(
      try ask("c", in: &scene) {
        // The truncated ancestry has the agent, whose parents are not known.
        let many = (0..<15).map { ProcessIdentity.Ancestor(pid: 70 + $0, started: 700, executable: "/usr/bin/agent") }
        $0.requester.process = Self.process(many + [.init(pid: 300, started: 1, executable: "/bin/bash")])
        $0.draft.agent = 70
      } == ["c requested", "c answered"])
  }

  @Test func `an agent's own process makes no grant, and a grant does not outlive the rule against self-answers`() throws {
    var scene = Self.scene()
    try ask("a", in: &scene)
    let child = Presentation.Responder(process: Self.process([.init(pid: 61, started: 610), Self.agent, Self.shell]))
    #expect(throws: PresentationRejection.agentAnswer) { try remember("a", in: &scene, by: child) }
    try remember("a", in: &scene)
    scene.surfaces.policy.selfAnswer = .user
    #expect(try ask("b", in: &scene) == ["b requested", "b presented 1"])
  }

  @Test func `ends a time by the boot clock, and gives no extra time after a restart`() throws {
    var scene = Self.scene()
    try ask("a", in: &scene)
    try remember("a", "a", GrantChoice(for: .seconds(900)), in: &scene)
    scene.wait(899)
    #expect(try ask("b", in: &scene) == ["b requested", "b answered"])
    scene.wait(1)
    #expect(try ask("c", in: &scene) == ["c requested", "c presented 1"])
    let grant = try #require(
      scene.events.compactMap { event in if case .granted(let grant) = event.detail { grant } else { nil } }.first)
    // The wall clock was set back by a day: the newest event counts.
    let restored = Standing([grant], at: Moment(boot: .seconds(5), wall: grant.grantedAt.advanced(by: .seconds(800))))
    #expect(restored.grants(at: .seconds(104)).count == 1 && restored.grants(at: .seconds(105)).isEmpty)
    // A follower that was away.
    for (later, left) in [(800, 100), (1000, 0)] {
      var follower = Standing()
      let now = Moment(boot: .seconds(5), wall: grant.grantedAt.advanced(by: .seconds(later)))
      follower.apply(Event(at: grant.grantedAt, .granted(grant)), at: now)
      #expect(follower.grants(at: .seconds(5 + left - 1)).count == (left > 0 ? 1 : 0))
      #expect(follower.grants(at: .seconds(5 + left)).isEmpty)
    }
  }

  @Test func `only its host ends a grant without saying who, and no host takes its id`() throws {
    var scene = Self.scene()
    try ask("a", in: &scene)
    try remember("a", in: &scene)
    let id = PresentationID(name: "g")
    let ending = PresentationInput.revoke(id, by: nil, isAdmin: false)
    try scene.surfaces.check(ending, from: "", on: "main")
    #expect(throws: PresentationRejection.noGrant) { try scene.surfaces.check(ending, from: "beta", on: "main") }
    var extra = AnswerExtra()
    extra.remember = GrantChoice(for: .session)
    extra.remember?.id = id
    #expect(throws: PresentationRejection.noGrant) {
      try scene.surfaces.check(
        .change(PresentationID(name: "a"), Verbs.Answer(.button("a"), extra), by: Self.person), from: "beta", on: "main")
    }
  }

  @Test func `a time needs the same executable above the requester`() throws {
    var scene = Self.scene()
    try ask("a", in: &scene)
    try remember("a", "a", GrantChoice(for: .seconds(900)), in: &scene)
    let other = ProcessIdentity.Ancestor(pid: 51, started: 501, executable: "/usr/bin/other")
    let copy = ProcessIdentity.Ancestor(pid: 52, started: 502, executable: "/usr/bin/agent", executableDoubt: .otherNamespace)
    let later = ProcessIdentity.Ancestor(pid: 53, started: 503, executable: "/usr/bin/agent")
    for (name, ancestor, isCovered) in [("b", other, false), ("c", copy, false), ("d", later, true)]
      as [(Character, ProcessIdentity.Ancestor, Bool)]
    {
      let changes = try ask(name, in: &scene) {
        $0.requester.process = Self.process([.init(pid: 60, started: 600), ancestor, Self.shell])
        $0.draft.agent = ancestor.pid
      }
      #expect(changes.contains("\(name) answered") == isCovered)
    }
  }

  @Test func `always outlives sessions, reboots and agents, for the same user and program`() throws {
    var scene = Self.scene()
    scene.surfaces.policy.grants.always = true
    let act = Act("Bash", object: "npm test", arguments: ["npm", "test"], directory: "/home/ada/shop")
    try ask("a", act, in: &scene)
    try remember("a", "a", GrantChoice(for: .always), in: &scene)
    let grant = try #require(scene.surfaces.standing.grants().first)
    #expect(grant.isAlways && grant.condition.executable == "/usr/bin/agent" && grant.until == nil)
    #expect(try Grant(json: JSONText(grant).value) == grant)
    // Another agent with the same executable, months and a reboot later.
    scene.wait(100 * 86_400)
    #expect(Standing([grant], at: scene.moment).grants(at: scene.now) == [grant])
    let next = ProcessIdentity.Ancestor(pid: 70, started: 3, executable: "/usr/bin/agent")
    let changes = try ask("b", act, in: &scene) {
      $0.boot = "another"
      $0.requester.process = Self.process([.init(pid: 60, started: 600), next, Self.shell])
      $0.draft.agent = 70
    }
    #expect(changes == ["b requested", "b answered"])
    let others: [(Character, (inout PresentationAsk) -> Void)] = [
      ("c", { $0.requester.process = Self.process(uid: 2) }),
      ("d", { $0.draft.act?.directory = "/home/ada" }),
      ("e", { $0.draft.remember?.periods = [.session] }),
      ("f", { $0.draft.severity = .critical }),
      (
        "g",
        { ask in
          ask.requester.process = Self.process([
            .init(pid: 60, started: 600), .init(pid: 50, started: 500, executable: "/tmp/agent"), Self.shell,
          ])
        }
      ),
    ]
    for (name, change) in others {
      #expect(try !ask(name, act, in: &scene, change).contains("\(name) answered"), "\(name)")
    }
    scene.surfaces.policy.grants.always = false
    #expect(try !ask("h", act, in: &scene).contains("h answered"))
  }

  @Test(arguments: [
    (Act("Bash", object: "git push --force", arguments: ["git", "push", "--force"], directory: "/s"), false),
    (Act("Bash", object: "cat /etc/shadow", arguments: ["cat", "/etc/shadow"], directory: "/s"), false),
    (Act("Bash", object: "curl x | sh", directory: "/s"), false),
    (Act("Bash", object: "npm test", arguments: ["npm", "test"]), false),
    (Act("Bash", object: "npm test", arguments: ["npm", "test"], directory: "/s"), true),
  ])
  func `offers always only without cautions, in a directory`(act: Act, isOffered: Bool) throws {
    var scene = Self.scene()
    scene.surfaces.policy.grants.always = true
    try ask("a", act, in: &scene)
    let offer = scene.surfaces.entry(PresentationID(name: "a"))?.presentation.offer
    #expect((offer?.periods.contains(.always) ?? false) == isOffered)
  }

  @Test(arguments: [
    ("/opt/agent/versions/2.0.15/agent", nil, true), ("/opt/agent/versions/v2.0.15/agent", nil, true),
    ("/opt/agent/versions/beta/agent", nil, false), ("/opt/agent/versions/*/agent", nil, false),
    ("/opt/agent/versions/2.0.14/other", nil, false), ("/opt/agent/versions/agent", nil, false),
    ("/opt/agent/versions/2.0.14/agent", "/x.js", false),
  ])
  func `always covers another version of the program`(executable: String, script: String?, isCovered: Bool) throws {
    try checkProgram(("/opt/agent/versions/2.0.14/agent", nil), (executable, script), isCovered)
  }

  @Test func `always asks again for a changed program, if it is to check programs`() throws {
    var scene = Self.scene()
    (scene.surfaces.policy.grants.always, scene.surfaces.policy.grants.checksPrograms) = (true, true)
    let act = Act("Bash", arguments: ["npm", "test"], directory: "/s")
    func file(inode: UInt64 = 1, size: Int = 1, second: Int = 0) -> ProgramFile {
      ProgramFile(
        path: "/usr/bin/npm", inode: inode, size: size, changedAt: scene.moment.wall.advanced(by: .seconds(second)))
    }
    let unchanged = file()
    try ask("a", act, in: &scene) { $0.program = unchanged }
    try remember("a", "a", GrantChoice(for: .always), in: &scene)
    let grant = try #require(scene.surfaces.standing.grants().first)
    #expect(try Grant(json: JSONText(grant).value) == grant && grant.program == unchanged)
    #expect(try ask("b", act, in: &scene) { $0.program = unchanged }.contains("b answered"))
    let others: [(Character, ProgramFile?)] = [
      ("c", file(inode: 2)), ("d", file(size: 2)), ("e", file(second: 1)), ("f", nil),
    ]
    for (name, program) in others {
      #expect(try !ask(name, act, in: &scene) { $0.program = program }.contains("\(name) answered"), "\(name)")
    }
    let why = scene.surfaces.entry(PresentationID(name: "e"))?.presentation.offer?.uncovered?.why
    #expect(why == "runs /usr/bin/npm, which is another file since \(file(second: 1).changedAt)")
    // What cannot be found is not remembered for always.
    let unknown = scene.surfaces.entry(PresentationID(name: "f"))?.presentation.offer
    #expect(unknown?.periods.contains(.always) == false)
    scene.surfaces.policy.grants.checksPrograms = false
    #expect(try ask("g", act, in: &scene).contains("g answered"))
    // A text for a shell names no program that could be found.
    scene.surfaces.policy.grants.checksPrograms = true
    try ask("h", Act("Bash", object: "npm test | tail", directory: "/s"), in: &scene)
    #expect(scene.surfaces.entry(PresentationID(name: "h"))?.presentation.offer?.periods.contains(.always) == false)
    try ask("i", Act("Edit", object: "/s/a.txt", directory: "/s"), in: &scene)
    #expect(scene.surfaces.entry(PresentationID(name: "i"))?.presentation.offer?.periods.contains(.always) == true)
  }

  @Test func `a program that was not recorded is asked about once programs are checked`() throws {
    var scene = Self.scene()
    scene.surfaces.policy.grants.always = true
    let act = Act("Bash", arguments: ["npm", "test"], directory: "/s")
    try ask("a", act, in: &scene)
    try remember("a", "a", GrantChoice(for: .always), in: &scene)
    scene.surfaces.policy.grants.checksPrograms = true
    let file = ProgramFile(path: "/usr/bin/npm", inode: 1, size: 1, changedAt: scene.moment.wall)
    #expect(try !ask("b", act, in: &scene) { $0.program = file }.contains("b answered"))
    let why = scene.surfaces.entry(PresentationID(name: "b"))?.presentation.offer?.uncovered?.why
    #expect(why == "runs /usr/bin/npm, whose file was not recorded")
  }

  @Test(arguments: [
    ("/usr/lib/node_modules/agent/cli.js", true), ("/usr/lib/node_modules/other/cli.js", false), (nil, false),
  ])
  func `always and a time cover only the same script of an interpreter`(script: String?, isCovered: Bool) throws {
    for period: PresentationRequest.Remember.Period in [.always, .seconds(3600)] {
      try checkProgram(
        ("/usr/bin/node", "/usr/lib/node_modules/agent/cli.js"), ("/usr/bin/node", script), isCovered, for: period)
    }
  }

  private func checkProgram(
    _ own: (String, String?), _ other: (String, String?), _ isCovered: Bool,
    for period: PresentationRequest.Remember.Period = .always
  ) throws {
    var scene = Self.scene()
    scene.surfaces.policy.grants.always = true
    let act = Act("Bash", arguments: ["npm", "test"], directory: "/s")
    func ask(_ name: Character, _ program: (String, String?), as pid: Int32) throws -> [String] {
      let agent = ProcessIdentity.Ancestor(pid: pid, started: 1, executable: program.0, script: program.1)
      return try self.ask(name, act, in: &scene) {
        $0.requester.process = Self.process([.init(pid: 60, started: 600, executable: "/usr/bin/routerctl"), agent])
        $0.draft.agent = pid
      }
    }
    _ = try ask("a", own, as: 50)
    try remember("a", "a", GrantChoice(for: period), in: &scene)
    let grant = try #require(scene.surfaces.standing.grants().first)
    #expect(try Grant(json: JSONText(grant).value) == grant)
    #expect(try ask("b", other, as: 70).contains("b answered") == isCovered)
  }

  @Test func `always without a program that can be seen covers any program, and the prompt says so`() throws {
    var scene = Self.scene()
    scene.surfaces.policy.grants.always = true
    let act = Act("Bash", arguments: ["npm", "test"], directory: "/s")
    let unseen = ProcessIdentity.Ancestor(pid: 50, started: 500, uid: 1)
    try ask("a", act, in: &scene) { $0.requester.process = Self.process([.init(pid: 60, started: 600), unseen]) }
    let presentation = try #require(scene.surfaces.entry(PresentationID(name: "a"))?.presentation)
    let words = PromptDescription(presentation, userName: "ada").remembering?.widths.first?.always
    #expect(words == "always: npm test, in /s, by ada, from any program")
    try remember("a", "a", GrantChoice(for: .always), in: &scene)
    #expect(try ask("b", act, in: &scene).contains("b answered"))
  }

  @Test func `a no for a time comes before always, which is back afterwards`() throws {
    var scene = Self.scene()
    scene.surfaces.policy.grants.always = true
    let act = Act("Bash", arguments: ["npm", "test"], directory: "/s")
    try ask("a", act, in: &scene)
    try ask("b", act, in: &scene) { $0.draft.remember?.periods = [.seconds(900)] }
    try remember("a", "a", GrantChoice(for: .always), in: &scene)
    var choice = GrantChoice(for: .seconds(900))
    choice.id = PresentationID(name: "h")
    var extra = AnswerExtra()
    extra.remember = choice
    _ = try scene.handle(.change(PresentationID(name: "b"), Verbs.Answer(.button("d"), extra), by: Self.person))
    #expect(scene.surfaces.standing.grants(at: scene.now).count == 2)
    func outcome(in scene: Scene) -> PresentationOutcome? {
      scene.events.compactMap { event in if case .resolved(let end) = event.detail { end.outcome } else { nil } }.last
    }
    try ask("c", act, in: &scene)
    #expect(outcome(in: scene) == .answered(.button("d")))
    scene.wait(900)
    try ask("d", act, in: &scene)
    #expect(outcome(in: scene) == .answered(.button("a")))
  }

  @Test func `an offer says which answer equal acts got three times in a week`() throws {
    var scene = Self.scene()
    scene.surfaces.policy.grants.always = true
    let act = Act("Bash", arguments: ["npm", "test"], directory: "/s")
    var habits: [GrantOffer.Habit?] = []
    func askAndAnswer(_ name: Character, _ button: String) throws {
      try ask(name, act, in: &scene)
      habits.append(scene.surfaces.entry(PresentationID(name: name))?.presentation.offer?.habit)
      _ = try scene.handle(.change(PresentationID(name: name), Verbs.Answer(.button(button)), by: Self.person))
    }
    for name in "abcd" { try askAndAnswer(name, "a") }
    let allowed = GrantOffer.Habit(button: "Allow", count: 3)
    #expect(habits == [nil, nil, nil, allowed])
    // Two of the answers are more than a week old.
    scene.wait(7 * 86_400)
    for name in "ef" { try askAndAnswer(name, "a") }
    #expect(habits.suffix(2) == [nil, nil])
    for name in "gh" { try askAndAnswer(name, "a") }
    #expect(habits.last == allowed)
    try askAndAnswer("i", "d")
    try askAndAnswer("j", "a")
    #expect(habits.last == .some(nil))
  }

  @Test(arguments: [
    (ProcessIdentity.Ancestor(pid: 2, started: 2), true), (ProcessIdentity.Ancestor(pid: 1, started: 1, uid: 0), false),
    (ProcessIdentity.Ancestor(pid: 2, started: 2, executable: "/usr/bin/agent", executableDoubt: .deleted), true),
  ])
  func `a no for a time covers what might be the same program, and init is not`(
    ancestor: ProcessIdentity.Ancestor, isCovered: Bool
  ) throws {
    var scene = Self.scene()
    try ask("a", in: &scene)
    try remember("a", "d", GrantChoice(for: .seconds(900)), in: &scene)
    let other = ProcessIdentity.Ancestor(pid: 51, started: 501, executable: "/usr/bin/other")
    let changes = try ask("b", in: &scene) {
      $0.requester.process = Self.process([
        .init(pid: 60, started: 600, executable: "/usr/bin/routerctl"), other, Self.shell, ancestor,
      ])
      $0.draft.agent = other.pid
    }
    #expect(changes.contains("b answered") == isCovered)
  }

  @Test func `revokes for its users, and nobody else`() throws {
    var scene = Self.scene()
    try ask("a", in: &scene)
    try remember("a", in: &scene)
    let id = PresentationID(name: "g")
    #expect(throws: PresentationRejection.noGrant) { try scene.handle(.revoke(id, by: .user(2), isAdmin: false)) }
    try scene.handle(.revoke(id, by: .user(1), isAdmin: false))
    #expect(throws: PresentationRejection.noGrant) { try scene.handle(.revoke(id, by: .user(1), isAdmin: false)) }
    #expect(try ask("b", in: &scene) == ["b requested", "b presented 1"])
  }

  @Test func `a grant that is not on record has settled nothing`() throws {
    var scene = Self.scene()
    try ask("a", in: &scene)
    try ask("b", in: &scene)
    try scene.losing { scene in
      try remember("a", in: &scene)
      #expect(try ask("c", in: &scene) == ["c requested", "c answered"])
    }
    #expect(scene.stack() == "a" && scene.ordered() == "ab")
    #expect(try ask("d", in: &scene) == ["d requested"])
    try scene.answer("a", with: .button("a"))
    #expect(scene.stack() == "b")
  }

  @Test func `limits the grants of a user and the requests that they settle`() throws {
    var scene = Self.scene(perUser: 1, perMinute: 2)
    try ask("a", in: &scene)
    try remember("a", in: &scene)
    try ask("b", Act("run", object: "y"), in: &scene)
    #expect(throws: PresentationRejection.full(.grants)) { try remember("b", in: &scene) }
    #expect(scene.stack() == "b")
    for name in ["c", "d"] as [Character] { #expect(try ask(name, in: &scene) == ["\(name) requested", "\(name) answered"]) }
    #expect(throws: PresentationRejection.full(.settled)) { try ask("e", in: &scene) }
    scene.wait(60)
    #expect(try ask("f", in: &scene) == ["f requested", "f answered"])
  }

  @Test func `keeps grants through events and their JSON`() throws {
    var scene = Self.scene()
    var act = Act("Bash", object: "git log", arguments: ["git", "log"], directory: "/s", environment: ["PATH": "/bin"])
    act.files = [Act.File(path: "/bin/git", sha256: String(repeating: "0", count: 64), bytes: 7)]
    try ask("a", act, in: &scene)
    try remember("a", "a", GrantChoice(GrantOffer.Width(.prefix), for: .session), in: &scene)
    for event in scene.events {
      let read = try Event(at: event.at, kind: event.kind, presentation: event.presentation, detail: event.detailText.value)
      #expect(read == event)
    }
  }
}
