import OrderedCollections
import RouterCore
import TestSupport

/// Random rules and requests, decided by the daemon's code and by a plain list that is read from the top.
struct RuleSequence {
  /// A mistake of the plain list, which a comparison has to find.
  enum Fault: CaseIterable {
    case forgetsTheUser, forgetsTheHost, forgetsTheAncestor, forgetsTheVerb, forgetsTheApp, forgetsTheVariables
    case takesUnknownForYes, takesUnknownForNo, takesTheLast, allowsCritical, allowsUnknownCommands, takesDotsForOne
    case stopsAtANeedlessPermission
  }

  private struct Listed {
    let id: String
    var user: UInt32?
    var ancestor: String?
    var app: String?
    var verb: String?
    var object: String?
    var arguments: [[String]]?
    let then: String
  }

  private var random: SplitMix64
  private let fault: Fault?

  init(seed: UInt64, fault: Fault? = nil) {
    random = SplitMix64(seed: seed)
    self.fault = fault
  }

  mutating func run(requests: Int = 20) throws(Violation) {
    let listed = (0..<(1 + random.below(6))).compactMap { newRule($0) }
    let rules: RuleSet
    do {
      rules = RuleSet(
        file: "/r", text: listed.map(\.id).joined(), rules: try listed.map { try Rule(json: Self.json($0), at: "") })
    } catch {
      throw Violation("a generated rule is refused: \(error)")
    }
    var scene = Scene()
    do { _ = try scene.handle(.loadRules(Event.RulesLoaded(rules))) } catch { throw Violation("rules are refused: \(error)") }
    var replay = RulesReplay(rules)
    for number in 0..<requests {
      let ask = newAsk(number)
      let expected = decide(ask, listed)
      let before = scene.events.count
      do { _ = try scene.handle(.request(ask)) } catch { throw Violation("refused: \(error)") }
      let ended = scene.events[before...].compactMap { event -> PresentationOutcome? in
        if case .resolved(let end) = event.detail { end.outcome } else { nil }
      }
      try Violation.unless(
        ended.first == expected, "ended as \(ended.first, default: "nothing") instead of \(expected, default: "nothing")")
      let decision = rules.decision(on: ask.request, by: ask.requester)
      try Violation.unless(decision.outcome == expected, "the replay decides otherwise")
      // The replay takes what is on record.
      if let event = scene.events[before...].first(where: { $0.kind == .requested }), let recorded = try? Presentation(event) {
        replay.add(recorded)
        try Violation.unless(
          rules.decision(on: recorded.sentRequest, by: recorded.requester) == decision, "the record is decided otherwise")
      }
      _ = try? scene.handle(.change(ask.id, Verbs.Cancel(), by: .user(ask.uid), isAdmin: true))
    }
    try Violation.unless(replay.count == requests, "the replay has \(replay.count) requests")
  }

  // MARK: Generating

  private mutating func newRule(_ number: Int) -> Listed? {
    var rule = Listed(id: "r\(number)", then: random.pick(["allow", "deny", "ask"]))
    let isAllow = rule.then == "allow"
    if isAllow || random.chance(30) { rule.user = UInt32(1 + random.below(2)) }
    if isAllow || random.chance(30) { rule.ancestor = random.pick(["/bin/a", "/bin/*", "/bin/b"]) }
    if random.chance(30) { rule.app = random.pick(["x", "y*", "**"]) }
    if isAllow || random.chance(40) { rule.verb = random.pick(["Bash", "Edit"]) }
    if random.chance(50) {
      rule.object = random.pick(["git status", "git*", "/s/**", "/s/*", "**"])
    } else if isAllow || random.chance(50) {
      rule.arguments = random.pick([
        [["git"], ["status"]], [["git"], ["..."]], [["git"], ["status", "log"], ["..."]], [["git"], ["..."], ["-f"], ["..."]],
        [["sh"], ["-c"], ["ls"]],
      ])
    }
    let isEmpty =
      rule.user == nil && rule.ancestor == nil && rule.app == nil && rule.verb == nil && rule.object == nil
      && rule.arguments == nil
    return isEmpty ? nil : rule
  }

  private mutating func newAsk(_ number: Int) -> PresentationAsk {
    var ask = PresentationAsk(PresentationID(number: number + 1), uid: UInt32(1 + random.below(2)))
    let path = random.chance(15) ? nil : random.pick(["/bin/a", "/bin/b", "/opt/c"])
    ask.requester.process = ProcessIdentity(
      uid: ask.uid, gid: ask.uid, pid: 60, host: random.chance(10) ? "beta" : "",
      ancestry: random.chance(10)
        ? nil : [.init(pid: 60, started: 600, executable: "/bin/a"), .init(pid: 50, started: 500, executable: path)])
    ask.requester.app = random.pick(["x", "y", "yz"])
    if random.chance(90) {
      var act = Act(random.pick(["Bash", "Edit"]))
      act.object = random.pick([
        "git status", "git log", "git log -f x", "git x -f", "/s/a", "/s/d/a", "/s/../t", "git status; ls", "sh -c ls",
        "git log -c x",
      ])
      act.arguments = PlainWords.of(act.object ?? "")
      if random.chance(15) { act.environment = ["A": "1"] }
      ask.draft.act = act
    }
    if random.chance(10) { ask.draft.severity = .critical }
    ask.draft.buttons = [
      PresentationRequest.Button(id: "a", label: "Allow"), PresentationRequest.Button(id: "d", label: "Deny", role: .cancel),
    ]
    if random.chance(10) { ask.draft.buttons.removeLast() }
    return ask
  }

  private static func json(_ rule: Listed) -> JSONValue {
    var (match, act): (JSONValue, JSONValue) = ([:], [:])
    func add(_ name: String, _ value: JSONValue?, to object: inout JSONValue) {
      guard let value, case .object(var members) = object else { return }
      members[name] = value
      object = .object(members)
    }
    add("user", rule.user.map { .integer(Int($0)) }, to: &match)
    add("ancestor", rule.ancestor.map { .string($0) }, to: &match)
    add("app", rule.app.map { .string($0) }, to: &match)
    add("verb", rule.verb.map { .string($0) }, to: &act)
    add("object", rule.object.map { .string($0) }, to: &act)
    add("argv", rule.arguments.map { .array($0.map { $0 == ["..."] ? "..." : .array($0.map { .string($0) }) }) }, to: &act)
    if act != [:] { add("act", act, to: &match) }
    return ["id": .string(rule.id), "match": match, "then": .string(rule.then)]
  }

  // MARK: The plain list

  private func decide(_ ask: PresentationAsk, _ rules: [Listed]) -> PresentationOutcome? {
    for rule in fault == .takesTheLast ? rules.reversed() : rules {
      let parts = parts(of: rule, ask)
      if parts.contains(false) { continue }
      let isCertain = !parts.contains(nil)
      if rule.then == "allow" {
        guard isCertain || fault == .takesUnknownForYes else { continue }
        if mayAllow(rule, ask) { return .answered(.button("a")) }
        if fault == .stopsAtANeedlessPermission { return nil }
        continue
      }
      if !isCertain, fault == .takesUnknownForNo { continue }
      if rule.then == "ask" { return nil }
      return ask.request.buttons.contains { $0.id == "d" } ? .answered(.button("d")) : .cancelled(.refused)
    }
    return nil
  }

  /// Whether each part of the condition holds; `nil` if that cannot be told.
  private func parts(of rule: Listed, _ ask: PresentationAsk) -> [Bool?] {
    var parts: [Bool?] = []
    let (process, act) = (ask.requester.process, ask.request.act)
    if let user = rule.user, fault != .forgetsTheUser {
      parts.append((process.host.isEmpty || fault == .forgetsTheHost) && process.uid == user)
    }
    if let pattern = rule.ancestor, fault != .forgetsTheAncestor {
      let paths = process.ancestry?.dropFirst().map(\.executable)
      let isMatch = paths?.contains { $0.map { Self.matches(pattern, $0) == true } ?? false } ?? false
      parts.append(isMatch ? true : paths == nil || paths!.contains(nil) ? nil : false)
    }
    if let app = rule.app, fault != .forgetsTheApp { parts.append(Self.matches(app, ask.requester.app)) }
    if let verb = rule.verb, fault != .forgetsTheVerb { parts.append(act?.verb == verb) }
    if let object = rule.object { parts.append(act?.object.map { Self.matches(object, $0) } ?? false) }
    if let pattern = rule.arguments {
      parts.append(act?.arguments.map { matches(pattern[...], $0[...]) } ?? false)
    }
    return parts
  }

  private func mayAllow(_ rule: Listed, _ ask: PresentationAsk) -> Bool {
    guard ask.request.severity != .critical || fault == .allowsCritical, let act = ask.request.act else { return false }
    guard act.environment.isEmpty || fault == .forgetsTheVariables else { return false }
    let isOpen = rule.arguments?.contains { $0.count > 1 ? false : $0 == ["..."] } ?? false
    let hasWildcard = rule.object.map { $0.contains("*") } ?? false
    if hasWildcard, act.arguments == nil { return false }
    // Of the generated commands, the others have an option or a program that is not known to only read.
    let isKnown = [["git", "status"], ["git", "log"]].contains(act.arguments)
    return !(isOpen || hasWildcard) || isKnown || fault == .allowsUnknownCommands
  }

  private static func matches(_ pattern: String, _ text: String) -> Bool? {
    guard TextPatternTests.matches(Array(pattern.unicodeScalars)[...], Array(text.unicodeScalars)[...]) else { return false }
    return pattern.contains("*") && text.split(separator: "/").contains("..") ? nil : true
  }

  private func matches(_ pattern: ArraySlice<[String]>, _ arguments: ArraySlice<String>) -> Bool {
    guard let first = pattern.first else { return arguments.isEmpty }
    if first == ["..."] {
      let counts = fault == .takesDotsForOne ? 1...1 : 0...arguments.count
      return counts.contains { $0 <= arguments.count && matches(pattern.dropFirst(), arguments.dropFirst($0)) }
    }
    return arguments.first.map { first.contains($0) && matches(pattern.dropFirst(), arguments.dropFirst()) } ?? false
  }
}
