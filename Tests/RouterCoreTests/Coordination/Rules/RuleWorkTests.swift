import TestSupport
import Testing

@testable import RouterCore

/// What a request costs the rules, in steps: no clock says more about a busy machine.
/// Promise P46.
struct RuleWorkTests {
  private static func rules(_ count: Int, _ match: (Int) -> JSONValue, then: String = "ask") throws -> RuleSet {
    RuleSet(
      file: "/r", text: "",
      rules: try (0..<count).map { number in
        try Rule(json: ["id": .string("r\(number)"), "match": match(number), "then": .string(then)], at: "")
      })
  }

  private static func request(_ object: String, _ arguments: [String]? = nil) -> PresentationRequest {
    var request = PresentationRequest(kind: .alert, title: "Run?", buttons: RuleTests.buttons)
    request.act = Act("Bash", object: object, arguments: arguments, directory: "/s")
    return request
  }

  private static let requester = Presentation.Requester(app: "agent", process: RuleTests.process())

  private static func steps(of request: PresentationRequest, by rules: RuleSet) -> (steps: Int, decision: RuleSet.Decision) {
    var steps = 0
    let decision = rules.decision(on: request, by: requester, counting: &steps)
    return (steps, decision)
  }

  @Test func `compares a command with a thousand rules in a pass over its text`() throws {
    let rules = try Self.rules(1000) { number in
      number % 2 == 0
        ? ["app": "agent", "act": ["verb": "Bash", "object": .string("**curl **|**sh-\(number)**")]]
        : ["user": 1, "act": ["verb": "Bash", "argv": ["...", .string("*--force-\(number)"), "..."]]]
    }
    for (bytes, limit) in [(300, 20_000), (4096, 100_000)] {
      let words = (0..<bytes / 10).map { "word-\($0)" }
      let (steps, decision) = Self.steps(of: Self.request(words.joined(separator: " "), words), by: rules)
      #expect(decision.rule == nil && steps < limit, "\(bytes) bytes take \(steps) steps")
    }
  }

  private static let hostile: [(String, @Sendable (Int) -> JSONValue, PresentationRequest)] = [
    (
      "pieces that all occur", { ["act": ["object": .string("**b\(String(repeating: "?", count: 4 * ($0 % 250)))b**z")]] },
      request(String(repeating: "a b ", count: 1023) + "z")
    ),
    (
      "many arguments", { ["act": ["argv": ["...", ["-*a", .string("*a\($0)?")], "..."]]] },
      request("x", Array(repeating: "-ab", count: 4000))
    ),
    ("dots", { ["act": ["object": .string("/s/**a\($0 % 7)?")]] }, request("/s/" + String(repeating: "a/../", count: 800))),
    (
      "no pieces", { ["act": ["object": .string("*" + String(repeating: "?", count: 1 + $0))]] },
      request(String(repeating: "é", count: 2000))
    ),
    ("a long text", { ["act": ["object": .string("**a\($0)z?")]] }, request(String(repeating: "a1z ", count: 16_000))),
  ]

  @Test(arguments: hostile.indices) func `bounds the steps of a request, and denies what takes more`(index: Int) throws {
    let (what, match, request) = Self.hostile[index]
    for then in ["deny", "ask"] {
      let rules = try Self.rules(500, match, then: then)
      let (steps, decision) = Self.steps(of: request, by: rules)
      #expect(steps <= RuleMatch.maximumSteps + 300_000, "\(what): \(steps)")
      // None of them matches: it takes too many steps to tell.
      if index == 0 { #expect(decision.rule != nil) }
      if steps >= RuleMatch.maximumSteps { #expect(decision.rule != nil, "\(what)") }
    }
  }

  @Test func `allows nothing that takes too many steps`() throws {
    let slow = (0..<500).map {
      #"{"id": "s\#($0)", "match": {"user": 2, "act": {"object": "**b\#(String(repeating: "?", count: 4 * ($0 % 250)))b**z"}}, "then": "allow"}"#
    }
    // Conditions that are compared first do not help: the slow ones are for everybody.
    let texts = slow.map {
      $0.replacing("\"user\": 2", with: "\"user\": 1").replacing("{\"object\"", with: "{\"verb\": \"Bash\", \"object\"")
    }
    let last = #"{"id": "last", "match": {"user": 1, "act": {"verb": "Bash", "object": "git log **z"}}, "then": "allow"}"#
    let rules = RuleSet(file: "/r", text: "", rules: try (texts + [last]).map(RuleTests.rule))
    let text = "git log " + String(repeating: "a b ", count: 1020) + "z"
    #expect(Self.steps(of: Self.request(text, text.split(separator: " ").map(String.init)), by: rules).decision.outcome == nil)
    let short = Self.request("git log b z", ["git", "log", "b", "z"])
    #expect(Self.steps(of: short, by: rules).decision.outcome == .answered(.button("a")))
  }

  /// The plain way: every pattern on every text.
  @Test func `decides as rules do that are compared one by one`() throws {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let parts = ["a", "b", "/", "..", ".", "é", "-f", "abcd", "*", "**", "?"]
    func text(_ parts: [String], upTo count: Int) -> String {
      (0...random.below(count)).map { _ in random.pick(parts) }.joined()
    }
    for _ in 0..<300 {
      let listed = try (0..<8).map { number in
        let act: JSONValue =
          random.chance(50)
          ? ["object": .array([.string(text(parts, upTo: 5)), .string(text(parts, upTo: 5))])]
          : ["argv": .array((0...random.below(3)).map { _ in random.chance(30) ? "..." : .string(text(parts, upTo: 3)) })]
        return try Rule(json: ["id": .string("r\(number)"), "match": ["act": act], "then": "deny"], at: "")
      }
      let rules = RuleSet(file: "/r", text: "", rules: listed)
      for _ in 0..<20 {
        let arguments = (0...random.below(3)).map { _ in text(Array(parts.prefix(8)), upTo: 3) }
        let request = Self.request(text(Array(parts.prefix(8)), upTo: 6), arguments)
        let expected = listed.first { $0.condition.matchTarget(request.act!) != .no }
        #expect(rules.decision(on: request, by: Self.requester).rule == expected, "\(request.act!), seed \(seed)")
      }
    }
  }

  @Test func `counts the work of each user, and takes no more from who has used it up`() throws {
    var scene = Scene()
    let rules = try Self.rules(500, Self.hostile[0].1)
    _ = try scene.handle(.loadRules(Event.RulesLoaded(rules)))
    func ask(_ number: Int, uid: UInt32) throws {
      var ask = PresentationAsk(PresentationID(number: number), uid: uid)
      ask.draft.act = Self.hostile[0].2.act
      _ = try scene.handle(.request(ask))
      _ = try scene.handle(.change(ask.id, Verbs.Cancel(), by: .user(uid), isAdmin: true))
    }
    #expect(throws: PresentationRejection.full(.rules)) { for number in 1...100 { try ask(number, uid: 1) } }
    try ask(200, uid: 2)
    scene.wait(1)
    try ask(201, uid: 1)
  }
}
