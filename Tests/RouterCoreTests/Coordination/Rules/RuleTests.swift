import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

/// Rules of the daemon's file, by the rules alone.
/// Promise P45.
struct RuleTests {
  static let agent = ProcessIdentity.Ancestor(pid: 50, started: 500, executable: "/usr/bin/agent")
  static let shell = ProcessIdentity.Ancestor(pid: 10, started: 100, executable: "/bin/bash")

  static func process(
    uid: UInt32 = 1, host: String = "", _ ancestry: [ProcessIdentity.Ancestor]? = [.init(pid: 60, started: 600), agent, shell]
  ) -> ProcessIdentity {
    ProcessIdentity(
      uid: uid, gid: uid, pid: 60, executable: "/usr/bin/routerctl", unit: "work.service", host: host, directory: "/s",
      ancestry: ancestry)
  }

  /// A rule in the format of the event.
  static func rule(_ text: String) throws -> Rule { try Rule(json: JSONValue(parsing: Array(text.utf8)), at: "") }

  static func ruleSet(_ texts: String..., host: String = "") throws -> RuleSet {
    RuleSet(file: "/etc/routerd/rules.yaml", text: texts.joined(separator: "\n"), host: host, rules: try texts.map(rule))
  }

  static let allow = #"""
    {"id": "read", "match": {"user": 1, "ancestor": "/usr/bin/agent",
      "act": {"verb": "Bash", "argv": ["git", ["status", "log"], "..."]}}, "then": "allow"}
    """#
  static let deny =
    #"{"id": "no-force", "match": {"act": {"verb": "Bash", "argv": ["git", "push", "...", "--force", "..."]}}, "then": "deny", "message": "Rebase."}"#

  private static func scene(_ texts: String...) throws -> Scene {
    var scene = Scene()
    scene.surfaces.policy.grants = GrantPolicy(longest: .seconds(3600))
    let rules = RuleSet(file: "/rules.yaml", text: texts.joined(), rules: try texts.map(rule))
    _ = try scene.handle(.loadRules(Event.RulesLoaded(rules)))
    return scene
  }

  static let buttons = [
    PresentationRequest.Button(id: "a", label: "Allow"), PresentationRequest.Button(id: "d", label: "Deny", role: .cancel),
  ]

  private static func act(_ command: String) -> Act {
    Act("Bash", object: command, arguments: PlainWords.of(command), directory: "/s")
  }

  @discardableResult func ask(
    _ name: Character, _ act: Act?, in scene: inout Scene, over parent: Character? = nil,
    _ fill: (inout PresentationAsk) -> Void = { _ in }
  ) throws -> [String] {
    try scene.ask(name, over: parent) {
      $0.requester.process = Self.process()
      $0.boot = "boot"
      $0.draft.act = act
      $0.draft.remember = PresentationRequest.Remember()
      $0.draft.buttons = Self.buttons
      fill(&$0)
    }
  }

  private static func end(of name: Character, in scene: Scene) throws -> Event.Resolved {
    let id = PresentationID(name: name)
    let ends = scene.events.compactMap { event -> Event.Resolved? in
      if event.presentation == id, case .resolved(let end) = event.detail { end } else { nil }
    }
    return try #require(ends.first)
  }

  @Test func `allows and denies unseen, on record with rule and hash`() throws {
    var scene = try Self.scene(Self.deny, Self.allow)
    let digest = try #require(scene.surfaces.standing.rules).digest
    #expect(try ask("a", Self.act("git status -s"), in: &scene) == ["a requested", "a answered"])
    #expect(try ask("b", Self.act("git push origin --force"), in: &scene) == ["b requested", "b answered"])
    #expect(try ask("c", Self.act("git push"), in: &scene) == ["c requested", "c presented 1"])
    let (allowed, denied) = (try Self.end(of: "a", in: scene), try Self.end(of: "b", in: scene))
    #expect(allowed.because == .rule("read", rules: digest) && allowed.outcome == .answered(.button("a")) && allowed.by == nil)
    #expect(denied.because == .rule("no-force", rules: digest) && denied.outcome == .answered(.button("d")))
    #expect(denied.extra.comment == "Rebase." && allowed.extra.comment == nil)
  }

  @Test func `refuses what has no button for a no, and keeps stacks in order`() throws {
    var scene = try Self.scene(#"{"id": "no", "match": {"title": "No*"}, "then": "deny"}"#)
    #expect(
      try ask("a", nil, in: &scene) {
        $0.draft.title = "Nope"
        $0.draft.buttons = [PresentationRequest.Button(id: "ok", label: "OK")]
        $0.draft.remember = nil
      } == ["a requested", "a cancelled/refused"])
    try ask("b", nil, in: &scene) { $0.draft.remember = nil }
    #expect(throws: PresentationRejection.unknownParent) {
      try ask("c", nil, in: &scene, over: "x") {
        $0.draft.title = "Nope"
        $0.draft.remember = nil
      }
    }
    #expect(
      try ask("d", nil, in: &scene, over: "b") {
        $0.draft.title = "Nope"
        $0.draft.remember = nil
      } == ["d requested", "d answered"])
    #expect(scene.surfaces.entry(PresentationID(name: "b"))?.isOnTop == true)
  }

  @Test func `goes on after a permission that cannot be given, and to the users of a named host`() throws {
    let last = #"{"id": "rest", "match": {"surface": "**"}, "then": "deny"}"#
    var scene = try Self.scene(Self.allow, last)
    #expect(try ask("a", Self.act("git log"), in: &scene) == ["a requested", "a answered"])
    for (name, command) in [("b", "git log; reboot"), ("c", "git log --ext-diff")] as [(Character, String)] {
      try ask(name, Self.act(command), in: &scene)
      guard case .rule("rest", _) = try Self.end(of: name, in: scene).because else {
        Issue.record("\(command) was not denied")
        continue
      }
    }
    let beta = try Self.rule(
      #"{"id": "b", "match": {"host": "beta", "user": 5, "ancestor": "/usr/bin/agent", "act": {"verb": "x", "object": "y"}}, "then": "allow"}"#
    )
    var request = PresentationRequest(kind: .alert, title: "?", buttons: Self.buttons)
    request.act = Act("x", object: "y")
    for (host, uid, isMatch) in [("beta", 5, true), ("beta", 6, false), ("", 5, false)] as [(String, UInt32, Bool)] {
      let requester = Presentation.Requester(app: "a", process: Self.process(uid: uid, host: host))
      #expect(beta.matches(RuleFacts(request, by: requester, home: "")) == isMatch)
    }
  }

  @Test(arguments: [
    ("git log --output=$HOME/x", false), ("git log --outp\\ut=x", false), ("git log *", false), ("git log {a,b}", false),
    ("git log -n 3", true), ("git log --output=x", false), ("git log; ls", false),
  ])
  func `reads open objects as a shell would`(object: String, isAllowed: Bool) throws {
    var scene = try Self.scene(
      #"{"id": "log", "match": {"user": 1, "ancestor": "/usr/bin/agent", "act": {"verb": "Bash", "object": "git log**"}}, "then": "allow"}"#
    )
    #expect(
      try ask("a", Act("Bash", object: object), in: &scene) == ["a requested", isAllowed ? "a answered" : "a presented 1"])
  }

  @Test(arguments: [
    (#"["sh", "-c", "*"]"#, "sh -c x"), (#"[["ls", "env"], "..."]"#, "env ls"), (#"["git", "push", "..."]"#, "git push"),
    (#"["make", "*"]"#, "make test"), (#"["git", "log", "..."]"#, "git log --output=x"), (#"["gh", "..."]"#, "gh pr merge 7"),
    (#"["git", "branch", "..."]"#, "git branch -D x"), (#"["cat", "..."]"#, "cat x"),
  ])
  func `open arguments allow only what is known to only read`(pattern: String, command: String) throws {
    var scene = try Self.scene(
      #"{"id": "a", "match": {"user": 1, "ancestor": "/usr/bin/agent", "act": {"verb": "Bash", "argv": \#(pattern)}}, "then": "allow"}"#
    )
    #expect(try ask("a", Self.act(command), in: &scene) == ["a requested", "a presented 1"])
  }

  @Test func `keeps recorded rules of another version, which allow nothing that this one does not`() throws {
    let text: JSONValue = [
      "id": "old", "match": ["user": 1, "ancestor": "/usr/bin/agent", "act": ["verb": "Bash", "argv": [["sh"], "..."]]],
      "then": "allow", "later": true,
    ]
    let rule = try Rule(recorded: text, at: "")
    let requester = Presentation.Requester(app: "a", process: Self.process())
    var request = PresentationRequest(kind: .alert, title: "?", buttons: Self.buttons)
    request.act = Self.act("sh x")
    #expect(rule.matches(RuleFacts(request, by: requester, home: "")) && !rule.mayDecide(request))
  }

  /// What makes a request another one than the rule allows.
  private static let changes: [(String, @Sendable (inout PresentationAsk) -> Void)] = [
    ("another user", { $0.requester.process = process(uid: 2) }),
    ("another host", { $0.requester.process = process(host: "beta") }),
    ("another ancestor", { $0.requester.process = process([.init(pid: 60, started: 600), shell]) }),
    (
      "an unreadable ancestor",
      { $0.requester.process = process([.init(pid: 60, started: 600), .init(pid: 50, started: 500)]) }
    ),
    ("an unknown ancestry", { $0.requester.process = process(nil) }),
    (
      "the program itself in place of one above it",
      { $0.requester.process = process([.init(pid: 60, started: 600, executable: "/usr/bin/agent")]) }
    ),
    (
      "an executable in another namespace",
      {
        $0.requester.process = process([
          .init(pid: 60, started: 600),
          .init(pid: 50, started: 500, executable: "/usr/bin/agent", executableDoubt: .otherNamespace),
        ])
      }
    ),
    (
      "a replaced executable",
      {
        $0.requester.process = process([
          .init(pid: 60, started: 600), .init(pid: 50, started: 500, executable: "/usr/bin/agent", executableDoubt: .deleted),
        ])
      }
    ),
    ("another verb", { $0.draft.act = Act("bash", object: "git status", arguments: ["git", "status"]) }),
    ("other arguments", { $0.draft.act = act("git stash") }),
    ("no arguments", { $0.draft.act = Act("Bash", object: "git status") }),
    ("a chain", { $0.draft.act = act("git status; reboot") }),
    ("a path to another git", { $0.draft.act = act("/tmp/git status") }),
    ("an option that runs a program", { $0.draft.act = act("git log --ext-diff") }),
    ("an option that writes a file", { $0.draft.act = act("git log --outp=/etc/x") }),
    ("a variable", { $0.draft.act?.environment = ["GIT_PAGER": "x"] }),
    (
      "no act",
      {
        $0.draft.act = nil; $0.draft.remember = nil
      }
    ),
    ("critical severity", { $0.draft.severity = .critical }),
    ("critical priority", { $0.draft.priority = .critical }),
    (
      "a sensitive answer",
      {
        $0.draft.sensitive = true; $0.draft.remember = nil
      }
    ),
    ("a destructive button", { $0.draft.buttons[0].role = .destructive }),
    ("two buttons", { $0.draft.buttons.append(PresentationRequest.Button(id: "b", label: "Always")) }),
  ]

  @Test(arguments: changes.indices) func `allows nothing else`(index: Int) throws {
    var scene = try Self.scene(Self.allow)
    #expect(try ask("a", Self.act("git status"), in: &scene) == ["a requested", "a answered"])
    let changed = try ask("b", Self.act("git status"), in: &scene, Self.changes[index].1)
    #expect(changed == ["b requested", "b presented 1"], "\(Self.changes[index].0)")
  }

  @Test(arguments: [
    #"{"id": "a", "match": {"act": {"verb": "B", "object": "x"}}, "then": "allow"}"#,
    #"{"id": "a", "match": {"ancestor": "/x", "act": {"verb": "B", "object": "x"}}, "then": "allow"}"#,
    #"{"id": "a", "match": {"executable": "/x", "unit": "u", "act": {"verb": "B", "object": "x"}}, "then": "allow"}"#,
    #"{"id": "a", "match": {"user": 1, "ancestor": "/x", "app": "a"}, "then": "allow"}"#,
    #"{"id": "a", "match": {"user": 1, "ancestor": "/x", "act": {"object": "x"}}, "then": "allow"}"#,
    #"{"id": "a", "match": {"user": 1, "ancestor": "/x", "act": {"verb": "*", "object": "x"}}, "then": "allow"}"#,
    #"{"id": "a", "match": {"user": 1, "ancestor": "/x", "act": {"verb": "B"}}, "then": "allow"}"#,
    #"{"id": "a", "match": {"user": 1, "ancestor": "/x", "act": {"verb": "B", "argv": ["*", "x"]}}, "then": "allow"}"#,
    #"{"id": "a", "match": {"user": 1, "ancestor": "/x", "act": {"verb": "B", "argv": ["..."]}}, "then": "allow"}"#,
    #"{"id": "A", "match": {"app": "x"}, "then": "deny"}"#, #"{"id": "", "match": {"app": "x"}, "then": "deny"}"#,
    #"{"id": "a", "then": "deny"}"#, #"{"id": "a", "match": {}, "then": "deny"}"#, #"{"id": "a", "match": {"app": "x"}}"#,
    #"{"id": "a", "match": {"app": "x"}, "then": "permit"}"#, #"{"id": "a", "match": {"apps": "x"}, "then": "deny"}"#,
    #"{"id": "a", "match": {"kind": "form"}, "then": "deny"}"#, #"{"id": "a", "match": {"act": {}}, "then": "deny"}"#,
    #"{"id": "a", "match": {"act": {"under": "x"}}, "then": "deny"}"#,
    #"{"id": "a", "match": {"act": {"under": "/x/../y"}}, "then": "deny"}"#,
    #"{"id": "a", "match": {"app": "x"}, "then": "require"}"#,
    #"{"id": "a", "match": {"app": "x"}, "then": "require", "require": {"answers": 2, "button": "a"}}"#,
    #"{"id": "a", "match": {"app": []}, "then": "deny"}"#,
    #"{"id": "a", "match": {"app": "x"}, "then": "deny", "button": "x"}"#,
  ])
  func `refuses rules that trust a program's word, or cannot be meant`(text: String) {
    #expect(throws: JSONError.self) { try Self.rule(text) }
  }

  @Test(arguments: [
    #"{"id": "a", "match": {"executable": "/x"}, "then": "deny"}"#,
    #"{"id": "a", "match": {"ancestor": "/x"}, "then": "deny"}"#,
    #"{"id": "a", "match": {"directory": "/x"}, "then": "deny"}"#,
  ])
  func `denies if it cannot be told whether a rule applies`(text: String) throws {
    var scene = try Self.scene(text)
    let answered = try ask("a", Self.act("ls"), in: &scene) {
      $0.requester.process = ProcessIdentity(uid: 1, gid: 1, pid: 60, host: "beta")
    }
    #expect(answered == ["a requested", "a answered"])
    let known = try ask("b", Self.act("ls"), in: &scene) {
      $0.requester.process = ProcessIdentity(
        uid: 1, gid: 1, pid: 60, executable: "/y", directory: "/y",
        ancestry: [.init(pid: 60, started: 600, executable: "/y"), .init(pid: 1, started: 1, uid: 0)])
    }
    #expect(known == ["b requested", "b presented 1"])
  }

  @Test(arguments: [
    ("/s/a", Certainty.yes), ("/s/d/a", .yes), ("/s", .no), ("/sx/a", .no), ("/s/../etc/x", .unknown), ("a", .no),
    ("/s/a;reboot", .unknown), ("/s/$(x)", .unknown), ("/s/(group)/[id].ts", .yes), ("~/a", .unknown), ("/s/a ", .unknown),
    (" /s/a", .unknown),
  ])
  func `tells files below a directory from commands that look like them`(object: String, expected: Certainty) throws {
    let rule = try Self.rule(#"{"id": "a", "match": {"act": {"verb": "Edit", "under": "/s"}}, "then": "ask"}"#)
    #expect(rule.condition.matchTarget(Act("Edit", object: object)) == expected)
  }

  @Test(arguments: [
    ("https://docs.swift.org/a", true), ("https://docs.swift.org/a;reboot", false), ("https://docs.swift.org/../x", false),
    ("http://docs.swift.org/a", false),
  ])
  func `allows objects with wildcards only without shell syntax`(object: String, isAllowed: Bool) throws {
    var scene = try Self.scene(
      #"""
      {"id": "docs", "match": {"user": 1, "ancestor": "/usr/bin/agent",
        "act": {"verb": "WebFetch", "object": "https://docs.swift.org/**"}}, "then": "allow"}
      """#)
    let expected = ["a requested", isAllowed ? "a answered" : "a presented 1"]
    #expect(try ask("a", Act("WebFetch", object: object), in: &scene) == expected)
  }

  @Test func `changes what a person is asked, and records the request as it was sent`() throws {
    var scene = try Self.scene(
      #"{"id": "rm", "match": {"act": {"verb": "Bash", "argv": ["rm", "..."]}}, "then": "ask", "destructive": true, "remember": false, "priority": "low"}"#
    )
    try ask("a", Self.act("rm x"), in: &scene)
    let presentation = try #require(scene.surfaces.entry(PresentationID(name: "a"))?.presentation)
    #expect(presentation.request.buttons.map(\.role) == [.destructive, .cancel] && presentation.request.priority == .low)
    #expect(presentation.request.remember == nil && presentation.offer == nil && presentation.ruling?.rule == "rm")
    #expect(presentation.sentRequest.buttons.map(\.role) == [nil, .cancel] && presentation.sentRequest.remember != nil)
    // The same after the record's JSON, and a client's.
    let event = try #require(scene.events.first { $0.presentation == presentation.id })
    let read = try Event(at: event.at, kind: .requested, presentation: event.presentation, detail: event.detailText.value)
    #expect(read == event && read.detailText == event.detailText)
    #expect(try Presentation(json: presentation.json).request == presentation.request)
    #expect(presentation.json["request"]?["remember"] != nil)
    // A priority is never raised.
    try ask("b", Self.act("rm x"), in: &scene) { $0.draft.priority = .low }
    let higher = try Self.rule(#"{"id": "up", "match": {"app": "**"}, "then": "ask", "priority": "critical"}"#)
    _ = try scene.handle(.loadRules(Event.RulesLoaded(RuleSet(file: "/r", text: "up", rules: [higher]))))
    try ask("c", Self.act("rm x"), in: &scene)
    #expect(scene.surfaces.entry(PresentationID(name: "c"))?.request.priority == .normal)
  }

  @Test func `takes the first rule that fits, then remembered answers, then a permission`() throws {
    let ask =
      #"{"id": "ask", "match": {"act": {"verb": "Bash", "argv": ["git", "log", "..."]}}, "then": "ask", "remember": false}"#
    var scene = try Self.scene(ask, Self.allow)
    #expect(try self.ask("a", Self.act("git log"), in: &scene) == ["a requested", "a presented 1"])
    #expect(scene.surfaces.entry(PresentationID(name: "a"))?.presentation.offer == nil)
    _ = try scene.handle(.change(PresentationID(name: "a"), Verbs.Answer(.button("a")), by: .user(1)))
    // A remembered no comes before the permission, and a denial before a remembered yes.
    scene = try Self.scene(Self.allow)
    _ = try scene.handle(.loadRules(Event.RulesLoaded(RuleSet(file: "/r", text: "", rules: []))))
    try self.ask("b", Self.act("git status"), in: &scene)
    try remember("b", "d", in: &scene)
    _ = try scene.handle(.loadRules(Event.RulesLoaded(RuleSet(file: "/r", text: "x", rules: [try Self.rule(Self.allow)]))))
    try self.ask("c", Self.act("git status"), in: &scene)
    #expect(try Self.end(of: "c", in: scene).because == .grant(PresentationID(name: "g")))
    let never = try Self.rule(#"{"id": "never", "match": {"act": {"verb": "Bash", "argv": ["git", "..."]}}, "then": "deny"}"#)
    _ = try scene.handle(.loadRules(Event.RulesLoaded(RuleSet(file: "/r", text: "y", rules: [never]))))
    try self.ask("e", Self.act("git status"), in: &scene)
    guard case .rule("never", _) = try Self.end(of: "e", in: scene).because else {
      Issue.record("the denial did not come first")
      return
    }
  }

  private func remember(_ name: Character, _ button: String, in scene: inout Scene) throws {
    var choice = GrantChoice(for: .session)
    choice.id = PresentationID(name: "g")
    var extra = AnswerExtra()
    extra.remember = choice
    let by = Presentation.Responder(process: Self.process(uid: 1, [.init(pid: 900, started: 900), Self.shell]))
    _ = try scene.handle(.change(PresentationID(name: name), Verbs.Answer(.button(button), extra), by: by))
  }

  @Test func `limits the requests of a user that nobody sees`() throws {
    var scene = try Self.scene(Self.allow)
    scene.surfaces.policy.grants.perMinute = 2
    try ask("a", Self.act("git log"), in: &scene)
    try ask("b", Self.act("git log"), in: &scene)
    #expect(throws: PresentationRejection.full(.settled)) { try ask("c", Self.act("git log"), in: &scene) }
  }
}
