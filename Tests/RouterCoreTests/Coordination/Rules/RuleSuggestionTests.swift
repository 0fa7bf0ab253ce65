import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

/// Rules suggested from what people answered, and rules tried on it.
struct RuleSuggestionTests {
  private static let buttons = [
    PresentationRequest.Button(id: "a", label: "Allow"), PresentationRequest.Button(id: "d", label: "Deny", role: .cancel),
  ]

  /// A presentation that a person has answered.
  private static func answered(
    _ number: Int, _ act: Act?, _ button: String? = "a", day: Int = 0, after time: Duration = .seconds(2),
    because: Presentation.Authority? = nil, _ fill: (inout PresentationRequest) -> Void = { _ in }
  ) throws -> Presentation {
    var request = PresentationRequest(kind: .alert, title: "Run?", buttons: buttons)
    (request.act, request.agent) = (act, 50)
    fill(&request)
    let process = ProcessIdentity(
      uid: 1000, gid: 1000, pid: 60,
      ancestry: [
        .init(pid: 60, started: 600, executable: "/usr/bin/routerctl"),
        .init(pid: 50, started: 500, executable: "/usr/bin/agent"),
      ])
    let asked = Timestamp(milliseconds: 1_780_000_000_000).advanced(by: .seconds(86_400 * day + number))
    var presentation = Presentation(
      id: PresentationID(number: number + 1), state: .resolved,
      requester: Presentation.Requester(app: "agent", process: process), request: request, requestedAt: asked,
      presentedAt: asked,
      resolvedAt: asked.advanced(by: time), outcome: button.map { .answered(.button($0)) } ?? .expired(.presented),
      resolvedBy: button == nil ? nil : .user(1000))
    presentation.because = because
    return presentation
  }

  private static func act(_ command: String) -> Act {
    Act("Bash", object: command, arguments: PlainWords.of(command), directory: "/s")
  }

  private func suggestions(_ presentations: [Presentation]) -> [RuleSuggestions.Suggestion] {
    var suggestions = RuleSuggestions()
    for presentation in presentations { suggestions.add(presentation) }
    return suggestions.suggestions()
  }

  @Test func `suggests what was answered alike on several days`() throws {
    let week = try (0..<6).map { try Self.answered($0, Self.act("git log -n \($0)"), day: $0 % 2) }
    let found = try #require(suggestions(week).first)
    #expect(suggestions(week).count == 1 && found.count == 6 && found.evidence.count == 3 && found.rule.id == "bash-git-log")
    #expect(found.rule.action == .allow(button: nil))
    #expect(week.allSatisfy { found.rule.allowedButton(of: $0.request) == "a" })
    let rules = RuleSet(file: "/r", text: "", rules: [found.rule])
    #expect(week.allSatisfy { rules.decision(on: $0.request, by: $0.requester).outcome == .answered(.button("a")) })
    for other in ["git push", "git log; ls", "git -c x log"] {
      #expect(rules.decision(on: try Self.answered(9, Self.act(other)).request, by: week[0].requester).outcome == nil)
    }
    let exact = try (0..<5).map { try Self.answered($0, Act("deploy", object: "staging"), "d", day: $0) }
    let denial = try #require(suggestions(exact).first).rule
    #expect(denial.isDenial && denial.condition.texts[.object]?.map(\.text) == ["staging"])
  }

  @Test func `lists the values that were approved, and widens to nothing else`() throws {
    let week = try (0..<6).map { try Self.answered($0, Self.act("git log -n \($0 % 3)"), day: $0) }
    let found = try #require(suggestions(week).first)
    let rules = RuleSet(file: "/r", text: "", rules: [found.rule])
    func outcome(_ command: String) throws -> PresentationOutcome? {
      rules.decision(on: try Self.answered(9, Self.act(command)).request, by: week[0].requester).outcome
    }
    for value in 0..<3 { #expect(try outcome("git log -n \(value)") == .answered(.button("a"))) }
    for other in ["git log -n 3", "git log", "git log -n 1 x", "git log -p 1", "git show -n 1"] {
      #expect(try outcome(other) == nil, "\(other)")
    }
  }

  @Test func `combines no values that were approved apart`() throws {
    // Two arguments differ, so that lists would allow four commands instead of two.
    let week = try (0..<12).map { try Self.answered($0, Self.act($0 % 2 == 0 ? "git log -n 1 a" : "git log -n 2 b"), day: $0) }
    let rules = RuleSet(file: "/r", text: "", rules: suggestions(week).map(\.rule))
    #expect(rules.rules.count == 2)
    for (command, isAllowed) in [
      ("git log -n 1 a", true), ("git log -n 2 b", true), ("git log -n 1 b", false), ("git log -n 2 a", false),
    ] {
      let request = try Self.answered(9, Self.act(command)).request
      #expect((rules.decision(on: request, by: week[0].requester).outcome != nil) == isAllowed, "\(command)")
    }
  }

  @Test func `lists no values of a command that is not known to only read`() throws {
    #expect(suggestions(try (0..<6).map { try Self.answered($0, Self.act("make target\($0)"), day: $0) }).isEmpty)
    let same = try (0..<6).map { try Self.answered($0, Self.act("make test"), day: $0) }
    #expect(suggestions(same).map(\.rule.id) == ["bash-make-test"])
  }

  @Test(arguments: [["rm", "build"], ["git", "push"], ["gh", "pr"]])
  func `makes no rule of a wide answer of an earlier version`(prefix: [String]) throws {
    let presentation = try Self.answered(0, Self.act(prefix.joined(separator: " ")))
    let act = try #require(presentation.request.act)
    var used: Set<String> = []
    let grant = try Self.grant(try #require(act.part(GrantOffer.Width(.prefix, count: 2))), of: presentation)
    #expect(throws: JSONError.self) { try Rule(of: grant, act, program: "/usr/bin/agent", used: &used) }
  }

  private static let weaknesses: [(String, @Sendable (Int) throws -> Presentation)] = [
    ("on one day", { try answered($0, act("git log")) }),
    ("too few", { try answered($0, act($0 < 4 ? "git log" : "git pull \($0)"), day: $0) }),
    ("one of them otherwise", { try answered($0, act("git log"), $0 == 3 ? "d" : "a", day: $0) }),
    ("by reflex", { try answered($0, act("git log"), day: $0, after: .milliseconds(400)) }),
    ("by a rule", { try answered($0, act("git log"), day: $0, because: .rule("x", rules: "")) }),
    ("by a remembered answer", { try answered($0, act("git log"), day: $0, because: .grant(PresentationID(number: 99))) }),
    ("never", { try answered($0, act("git log"), nil, day: $0) }),
    ("about something critical", { try answered($0, act("git log"), day: $0) { $0.severity = .critical } }),
    ("with a destructive button", { try answered($0, act("git log"), day: $0) { $0.buttons[0].role = .destructive } }),
    ("without an act", { try answered($0, nil, day: $0) }),
    ("for shell text that differs", { try answered($0, act("git log | head -\($0)"), day: $0) }),
    ("for a launcher with other arguments", { try answered($0, act("sh -c \($0)"), day: $0) }),
  ]

  @Test(arguments: weaknesses.indices) func `suggests nothing without evidence`(index: Int) throws {
    let (what, make) = Self.weaknesses[index]
    #expect(suggestions(try (0..<6).map(make)).isEmpty, "\(what)")
  }

  @Test func `tells what people answered to what each rule decides`() throws {
    let deny = try RuleTests.rule(
      #"{"id": "no", "match": {"act": {"verb": "Bash", "argv": ["git", "push", "..."]}}, "then": "deny"}"#)
    let allow = try RuleTests.rule(
      #"{"id": "yes", "match": {"user": 1000, "ancestor": "/usr/bin/agent", "act": {"verb": "Bash", "argv": ["git", "log", "..."]}}, "then": "allow"}"#
    )
    var replay = RulesReplay(RuleSet(file: "/r", text: "", rules: [deny, allow]))
    replay.add(try Self.answered(0, Self.act("git log")))
    replay.add(try Self.answered(1, Self.act("git log -p"), "d"))
    replay.add(try Self.answered(2, Self.act("git push"), "a"))
    replay.add(try Self.answered(3, Self.act("git push"), "d"))
    replay.add(try Self.answered(4, Self.act("git push"), nil))
    replay.add(try Self.answered(5, Self.act("git push"), "d", because: .rule("no", rules: "")))
    replay.add(try Self.answered(6, nil, "a"))
    #expect(replay.contradictions.map(\.presentation.id) == [1, 2].map { PresentationID(number: $0 + 1) })
    let (no, yes, none) = (replay.tally(of: "no"), replay.tally(of: "yes"), replay.tally(of: nil))
    #expect((no.count, no.yes, no.no, no.unanswered) == (4, 1, 1, 1) && (yes.count, yes.yes, yes.no) == (2, 1, 1))
    #expect(none.count == 1 && replay.withoutAct == 1 && replay.count == 7)
    // What people answered alike does not count as a change.
    #expect(replay.agreements == 2 && replay.changes == 3)
  }

  @Test func `makes a rule of a remembered answer`() throws {
    let presentation = try Self.answered(0, Self.act("git log -p"))
    let act = try #require(presentation.request.act?.part(GrantOffer.Width(.prefix, count: 2)))
    let grant = try Self.grant(act, of: presentation)
    var used: Set = ["bash-git-log"]
    #expect(throws: JSONError.self) { try Rule(of: grant, Self.act("git pull"), program: "/usr/bin/agent", used: &used) }
    let rule = try Rule(of: grant, try #require(presentation.request.act), program: "/usr/bin/agent", used: &used)
    #expect(rule.id == "bash-git-log-2")
    let rules = RuleSet(file: "/r", text: "", rules: [rule])
    #expect(rules.decision(on: presentation.request, by: presentation.requester).outcome == .answered(.button("a")))
    #expect(rules.decision(on: try Self.answered(1, Self.act("git pull")).request, by: presentation.requester).outcome == nil)
  }

  private static func grant(_ act: Act, of presentation: Presentation) throws -> Grant {
    try Grant(
      json: [
        "grant": .string(PresentationID(name: "g").description), "surface": "main", "button": "a", "label": "Allow",
        "act": act.json, "match": "prefix", "count": 2, "uid": 1000, "app": "agent", "anchor": "agent",
        "session": ["pid": 50, "started": 500, "boot": "b"], "grantedAt": .string(presentation.requestedAt.description),
        "presentation": .string(presentation.id.description), "by": Presentation.Responder.user(1000).json,
      ])
  }
}
