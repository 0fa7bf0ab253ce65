import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

/// What remembered answers cover of commands.
/// Promise P44.
struct CommandTableTests {
  private static let agent = ProcessIdentity.Ancestor(pid: 50, started: 500, executable: "/usr/bin/agent")
  private static let process = ProcessIdentity(
    uid: 1, gid: 1, pid: 60, executable: "/usr/bin/agent-hook",
    ancestry: [.init(pid: 60, started: 600, executable: "/usr/bin/agent-hook"), agent])
  private static let person = Presentation.Responder(
    process: ProcessIdentity(uid: 1, gid: 1, pid: 900, ancestry: [.init(pid: 900, started: 900)]))

  private static func scene() -> Scene {
    var scene = Scene()
    scene.surfaces.policy.grants = GrantPolicy(longest: .seconds(3600), perMinute: 1_000_000, verbs: ["deploy"])
    return scene
  }

  private static func act(_ command: String) -> Act {
    Act("Bash", object: command, arguments: PlainWords.of(command), directory: "/s")
  }

  /// Asks, and returns whether a remembered answer settled it.
  @discardableResult private static func isSettled(
    _ id: PresentationID, _ act: Act, in scene: inout Scene, _ fill: (inout PresentationAsk) -> Void = { _ in }
  ) throws -> Bool {
    var ask = PresentationAsk(id, uid: 1)
    ask.requester = Presentation.Requester(app: "agent", process: process)
    ask.boot = "boot"
    ask.draft.act = act
    ask.draft.remember = PresentationRequest.Remember(matches: PresentationRequest.Remember.Match.allCases)
    ask.draft.agent = 50
    ask.draft.buttons = [
      PresentationRequest.Button(id: "a", label: "Allow"), PresentationRequest.Button(id: "d", label: "Deny", role: .cancel),
    ]
    fill(&ask)
    _ = try scene.handle(.request(ask))
    return scene.surfaces.entry(id) == nil
  }

  /// Answers what is shown, and remembers the answer as widely as it is offered.
  private static func remember(
    _ id: PresentationID, _ button: String = "a", in scene: inout Scene, _ match: PresentationRequest.Remember.Match? = nil
  ) throws -> GrantOffer.Width {
    let offer = try #require(scene.surfaces.entry(id)?.presentation.offer)
    let width = try #require(match.map { match in offer.widths.first { $0.match == match } } ?? offer.widths.last)
    var choice = GrantChoice(width, for: .session)
    choice.id = PresentationID(number: 100_000 + scene.events.count)
    var extra = AnswerExtra()
    extra.remember = choice
    _ = try scene.handle(.change(id, Verbs.Answer(.button(button), extra), by: person))
    return width
  }

  @Test(arguments: CommandPairs.all) func `covers what the manual pages say only reads, and asks about the rest`(
    pairs: CommandPairs
  ) throws {
    var scene = Self.scene()
    try Self.isSettled(PresentationID(number: 1), Self.act(pairs.first), in: &scene)
    let width = try Self.remember(PresentationID(number: 1), in: &scene)
    #expect(width.match == .prefix || pairs.settled.isEmpty, "\(pairs.first) is remembered exactly")
    #expect(try Self.isSettled(PresentationID(number: 2), Self.act(pairs.first), in: &scene), "again")
    for (index, later) in (pairs.settled + pairs.asked).enumerated() {
      let isSettled = try Self.isSettled(PresentationID(number: 3 + index), Self.act(later), in: &scene)
      #expect(isSettled == (index < pairs.settled.count), "\(pairs.first) → \(later)")
    }
  }

  @Test func `has a few hundred pairs of more than fifty programs`() {
    let pairs = CommandPairs.all
    #expect(pairs.reduce(0) { $0 + $1.settled.count + $1.asked.count } > 700)
    #expect(Set(pairs.map { $0.first.prefix { $0 != " " } }).count > 80)
  }

  @Test func `reads every row of the table, and none is below another`() throws {
    for text in CommandTable.standardRows { _ = try CommandTable.Row(text) }
    let words = try CommandTable.standardRows.map { try CommandTable.Row($0).words }
    #expect(Set(words).count == words.count)
  }

  @Test(arguments: ["", "ls", "my-tool", "sh ...", "my tool: x", "-x y", "my-tool ... x", "my-tool a:-", "a;b c", ": -x"])
  func `refuses rows of the setting that name no subcommand`(text: String) {
    var commands = CommandTable.standard
    #expect(throws: JSONError.self) { try commands.add(text) }
    #expect(commands == .standard)
  }

  @Test func `covers what the setting adds`() throws {
    var scene = Self.scene()
    try scene.surfaces.policy.grants.commands.add("my-tool status ...: --short -n=")
    try Self.isSettled(PresentationID(number: 1), Self.act("my-tool status"), in: &scene)
    #expect(try Self.remember(PresentationID(number: 1), in: &scene) == GrantOffer.Width(.prefix, count: 2))
    #expect(try Self.isSettled(PresentationID(number: 2), Self.act("my-tool status --short -n 3 a"), in: &scene))
    #expect(try !Self.isSettled(PresentationID(number: 3), Self.act("my-tool status --long"), in: &scene))
    // A daemon without the setting asks.
    scene.surfaces.policy.grants.commands = .standard
    #expect(try !Self.isSettled(PresentationID(number: 4), Self.act("my-tool status --short"), in: &scene))
  }

  @Test func `says in the prompt that a remembered answer does not cover it, and why`() throws {
    var scene = Self.scene()
    try Self.isSettled(PresentationID(number: 1), Self.act("git branch -v"), in: &scene)
    _ = try Self.remember(PresentationID(number: 1), in: &scene)
    try Self.isSettled(PresentationID(number: 2), Self.act("git branch -D main"), in: &scene)
    let asked = try #require(scene.surfaces.entry(PresentationID(number: 2))?.presentation)
    let description = PromptDescription(asked, userName: nil)
    #expect(
      description.oddities.first
        == "a remembered answer does not cover this: it has -D, with which git branch may do more than read (remembered: any git branch … in /s, with options that only read)"
    )
    #expect(asked.offer?.uncovered?.grant == scene.surfaces.standing.grants().first?.id)
    let event = try #require(scene.events.last { $0.presentation == asked.id && $0.kind == .requested })
    let read = try Event(at: event.at, kind: event.kind, presentation: event.presentation, detail: event.detailText.value)
    #expect(read == event)
    // Another command has nothing to do with it.
    try Self.isSettled(PresentationID(number: 3), Self.act("git push"), in: &scene)
    #expect(scene.surfaces.entry(PresentationID(number: 3))?.presentation.offer?.uncovered == nil)
  }

  @Test func `the row says what else it covers`() throws {
    var scene = Self.scene()
    try Self.isSettled(PresentationID(number: 1), Self.act("git log"), in: &scene)
    let presentation = try #require(scene.surfaces.entry(PresentationID(number: 1))?.presentation)
    let labels = PromptDescription(presentation, userName: nil).remembering?.widths.map(\.label)
    #expect(labels == ["exactly this", "any git log … in /s, with options that only read"])
  }

  /// What a prompt says to look twice at, of the act or of what is beside it.
  private static let cautions: [(String, @Sendable (inout PresentationAsk) -> Void)] = [
    ("a command beside the act", { $0.draft.attachments = [.init(.command, "rm -rf /home/ada")] }),
    ("hidden characters in a diff", { $0.draft.attachments = [.init(.diff, "+a\u{202E}b")] }),
    (
      "a program that cannot be seen",
      {
        $0.requester.process = ProcessIdentity(
          uid: 1, gid: 1, pid: 60, executable: "/usr/bin/agent-hook", ancestry: [.init(pid: 60, started: 600), agent])
      }
    ),
    (
      "a deleted executable",
      {
        $0.requester.process = ProcessIdentity(
          uid: 1, gid: 1, pid: 60, executable: "/usr/bin/agent-hook", executableDoubt: .deleted,
          ancestry: [.init(pid: 60, started: 600, executable: "/usr/bin/agent-hook"), agent])
      }
    ),
  ]

  @Test(arguments: [
    (Act("Bash", object: "make test", arguments: ["make", "test"], directory: "/s"), PresentationRequest.Remember.Match.exact),
    (Act("Bash", object: "git log", arguments: ["git", "log"], directory: "/s"), .prefix),
    (Act("Edit", object: "/s/a", directory: "/s"), .under), (Act("deploy", object: "shop", directory: "/s"), .verb),
  ])
  func `settles nothing whose prompt would show a caution that the remembered one did not`(
    act: Act, match: PresentationRequest.Remember.Match
  ) throws {
    for (what, fill) in Self.cautions {
      for button in ["a", "d"] {
        var scene = Self.scene()
        try Self.isSettled(PresentationID(number: 1), act, in: &scene)
        _ = try Self.remember(PresentationID(number: 1), button, in: &scene, match)
        #expect(try Self.isSettled(PresentationID(number: 2), act, in: &scene), "\(match) without \(what)")
        #expect(try !Self.isSettled(PresentationID(number: 3), act, in: &scene, fill), "\(match) with \(what)")
        // Remembered with it, it settles both.
        _ = try Self.remember(PresentationID(number: 3), button, in: &scene, match)
        #expect(try Self.isSettled(PresentationID(number: 4), act, in: &scene, fill), "\(match) again with \(what)")
        #expect(try Self.isSettled(PresentationID(number: 5), act, in: &scene), "\(match) again without \(what)")
      }
    }
  }

  @Test func `a marked act is remembered exactly, and the same mark settles it`() throws {
    var scene = Self.scene()
    for (number, act) in [
      Self.act("git log ../other"), Self.act("rm -rf build"), Act("deploy", object: "shop --force", directory: "/s"),
      Act("Edit", object: "/s/a\u{202E}b", directory: "/s"),
    ].enumerated() {
      let id = PresentationID(number: 10 * number + 1)
      try Self.isSettled(id, act, in: &scene)
      #expect(try Self.remember(id, in: &scene) == GrantOffer.Width(.exact), "\(act.summary)")
      #expect(try Self.isSettled(PresentationID(number: 10 * number + 2), act, in: &scene))
    }
  }

  @Test func `an act's variables and files count in each width`() throws {
    for (act, match) in [
      (Act("Edit", object: "/s/a", directory: "/s"), PresentationRequest.Remember.Match.under),
      (Act("deploy", object: "shop", directory: "/s"), .verb), (Self.act("git log"), .prefix),
    ] {
      var scene = Self.scene()
      try Self.isSettled(PresentationID(number: 1), act, in: &scene)
      _ = try Self.remember(PresentationID(number: 1), in: &scene, match)
      var other = act
      other.environment = ["GIT_SSH_COMMAND": "x"]
      #expect(try !Self.isSettled(PresentationID(number: 2), other, in: &scene), "\(match)")
      other = act
      other.execution = .path
      #expect(try !Self.isSettled(PresentationID(number: 3), other, in: &scene), "\(match)")
    }
  }

  @Test func `a refusal that does not cover a command leaves it to a person`() throws {
    var scene = Self.scene()
    let rule = try RuleTests.rule(
      #"{"id": "yes", "match": {"user": 1, "ancestor": "/usr/bin/agent", "act": {"verb": "Bash", "argv": ["git", "log", "--output=x"]}}, "then": "allow"}"#
    )
    _ = try scene.handle(.loadRules(Event.RulesLoaded(RuleSet(file: "/r", text: "x", rules: [rule]))))
    try Self.isSettled(PresentationID(number: 1), Self.act("git log"), in: &scene)
    _ = try Self.remember(PresentationID(number: 1), "d", in: &scene)
    #expect(try Self.isSettled(PresentationID(number: 2), Self.act("git log -3"), in: &scene))
    #expect(try !Self.isSettled(PresentationID(number: 3), Self.act("git log --output=x"), in: &scene))
  }

  @Test(arguments: [["rm", "build"], ["gh", "pr"], ["git", "fetch"], ["aws", "s3"]])
  func `a grant of an earlier version covers no more than the table`(prefix: [String]) throws {
    var scene = Self.scene()
    try Self.isSettled(PresentationID(number: 1), Self.act("git log"), in: &scene)
    _ = try Self.remember(PresentationID(number: 1), in: &scene)
    let grant = try #require(scene.surfaces.standing.grants().first)
    var json = try #require(JSONText(grant).value.object)
    json["act"] = Act("Bash", arguments: prefix, directory: "/s").json
    json["count"] = 2
    json["grant"] = .string(PresentationID(name: "g").description)
    var (surfaces, state) = (scene.surfaces, scene.surfaces.state)
    try state.apply(Event(at: grant.grantedAt, .granted(try Grant(json: .object(json)))), at: scene.moment)
    surfaces = PresentationSurfaces(surfaces.policy, state, presenters: surfaces.seats, isSuspended: false)
    scene.surfaces = surfaces
    let later = (prefix + (prefix[0] == "gh" ? ["view", "7"] : ["ls"])).joined(separator: " ")
    #expect(try !Self.isSettled(PresentationID(number: 2), Self.act(later), in: &scene))
  }

  @Test func `equal strings of other bytes are other words and options`() throws {
    let commands = CommandTable.standard
    for arguments in [
      ["\u{212A}ubectl", "get", "pods"], ["ss", "-\u{212A}"], ["git", "log", "-\u{301}x"],
      ["git", "log", "a:\u{301}:b", "-\u{301}"],
      ["gi\u{74}\u{301}", "log"], ["/usr/bin/\u{301}git", "log"],
    ] {
      #expect(throws: CommandTable.Obstacle.self, "\(arguments)") { try commands.prefix(of: arguments) }
    }
  }

  // MARK: Generated

  private static let words = [
    "git", "gh", "ls", "rm", "log", "pr", "view", "branch", "status", "-D", "-v", "-n", "3", "--", "-", "--output=x",
    "--output", "x",
    "--stat", "-\u{301}", "--since", "--color=x", "main", "a::b", "https://x", "/etc/passwd", "..", "~", "-x", "-la", "kubectl",
    "get", "pods",
    "secrets", "-o", "wide", "docker", "ps", "-aq", "systemctl", "--user", "--json=x", ";", "=", "--format=%h", "\u{212A}", "",
  ]

  /// Generated commands, remembered as widely as offered: what they settle is equal, or all of its arguments are in the table.
  @Test func `generated arguments never widen a grant`() throws {
    for seed in 0..<400 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var scene = Self.scene()
      let beginning = random.pick([
        ["git", "log"], ["git", "branch"], ["gh", "pr", "view"], ["ls"], ["kubectl", "get", "pods"], ["rm"],
      ])
      func arguments() -> [String] {
        let rest = (0..<random.below(5)).map { _ in random.pick(Self.words) }
        return (random.chance(80) ? beginning : [random.pick(Self.words)]) + rest
      }
      let first = Act("Bash", arguments: arguments(), directory: "/s")
      try Self.isSettled(PresentationID(number: 1), first, in: &scene)
      let width = try Self.remember(PresentationID(number: 1), in: &scene)
      for number in 2..<12 {
        let later = Act("Bash", arguments: arguments(), directory: "/s")
        let isSettled = try Self.isSettled(PresentationID(number: number), later, in: &scene)
        let isEqual = later.arguments.map { $0.map { Array($0.utf8) } } == first.arguments.map { $0.map { Array($0.utf8) } }
        let isRead = width.match == .prefix && Self.onlyReads(later.arguments ?? [], as: first.arguments ?? [])
        #expect(
          isSettled == (isEqual || isRead),
          "seed \(seed): \(first.arguments ?? []) as \(width.match), then \(later.arguments ?? [])")
      }
    }
  }

  /// A plain model of the rows that the generator begins with: the words, and each further argument known and unmarked.
  private static func onlyReads(_ arguments: [String], as first: [String]) -> Bool {
    let known: [([String], takesWords: Bool, flags: [String], valued: [String])] = [
      (["git", "log"], true, ["--stat", "--", "--color=x", "--format=%h"], ["-n", "--since"]),
      (["git", "branch"], false, ["-v", "--color=x", "--format=%h"], []),
      (["git", "status"], true, ["-v", "--"], []),
      (["gh", "pr", "view"], true, ["--json=x"], []),
      (["ls"], true, ["-la", "-v", "-n", "-o", "-x", "--", "-aq", "--color=x"], []),
      (["kubectl", "get", "pods"], true, ["-la", "--output=x"], ["-o", "--output"]),
      (["docker", "ps"], false, ["-aq", "-la", "--format=%h"], ["-n"]),
      (["systemctl", "status"], true, ["--user", "-la", "--output=x"], ["-n", "-o", "--output"]),
    ]
    guard let row = known.first(where: { arguments.starts(with: $0.0) && first.starts(with: $0.0) }) else { return false }
    let marked = ["/etc/passwd", "..", "~"]
    if arguments.contains(where: { marked.contains($0) }) { return false }
    var rest = arguments.dropFirst(row.0.count)
    while let argument = rest.popFirst() {
      if row.valued.contains(argument) {
        guard let value = rest.popFirst(), value.utf8.first != UInt8(ascii: "-") else { return false }
      } else if argument.utf8.first == UInt8(ascii: "-") {
        guard row.flags.contains(argument), argument.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
      } else if !row.takesWords || argument == "a::b" || argument == "https://x" {
        return false
      }
    }
    return true
  }
}
