import OrderedCollections

/// Matches one request against rules. Counts steps of about a nanosecond each. Past the limit, comparisons return `unknown`: no
/// rule allows the request, but rules that ask or deny apply.
struct RuleMatch {
  /// The maximum number of steps per request.
  static let maximumSteps = 400_000

  private let rules: CompiledRules
  private let facts: RuleFacts
  private let commands: CommandTable
  /// The known result of each part: zero if unknown, otherwise its certainty plus one.
  private var known: [UInt8]
  private var values: [RuleFacts.Values?]
  private var path: ObjectPath?
  private var openAct: OpenAct?
  private(set) var steps = 0

  init(_ rules: CompiledRules, _ facts: RuleFacts, _ commands: CommandTable = .standard) {
    (self.rules, self.facts, self.commands) = (rules, facts, commands)
    known = Array(repeating: 0, count: rules.parts.count)
    values = Array(repeating: nil, count: rules.subjects.count)
  }

  /// Returns the first rule that decides the request. Skips rules that match but cannot allow it.
  mutating func first() -> Rule? {
    // Iterates over indices, since copying each rule would take longer than the comparison.
    let found = rules.rules.indices.first { matches($0) && mayDecide(rules.rules[$0]) }
    return found.map { rules.rules[$0] }
  }

  /// Whether the request matches a rule with the certainty that its action needs.
  mutating func matches(_ index: Int) -> Bool {
    var least = Certainty.yes
    for place in rules.starts[index]..<rules.starts[index + 1] {
      least = min(least, certainty(of: rules.partsOfRules[place]))
      if least == .no { return false }
    }
    return rules.allows[index] ? least == .yes : least != .no
  }

  /// The certainties of a rule's parts.
  mutating func certainties(of index: Int) -> [Certainty] {
    rules.partsOfRules[rules.starts[index]..<rules.starts[index + 1]].map { certainty(of: $0) }
  }

  private mutating func mayDecide(_ rule: Rule) -> Bool {
    guard case .allow = rule.action else { return true }
    guard let act = facts.act else { return false }
    steps += 200 + 16 * act.environment.count
    guard steps <= Self.maximumSteps else { return false }
    if openAct == nil { openAct = OpenAct(act, commands) }
    return rule.allowedButton(of: facts.request, &openAct!) != nil
  }

  private mutating func certainty(of part: Int) -> Certainty {
    if let certainty = Certainty(rawValue: Int(known[part]) - 1) { return certainty }
    let found = match(part)
    known[part] = UInt8(found.rawValue + 1)
    return found
  }

  private mutating func match(_ part: Int) -> Certainty {
    steps += 8
    let subject = rules.subjectOfPart[part]
    guard subject >= 0 else {
      if case .under(let directories) = rules.parts[part] {
        if path == nil { path = ObjectPath(facts.act) }
        steps += 4 * directories.count
        return path!.isBelow(directories.lazy.map(\.text))
      }
      return rules.parts[part].match(facts)
    }
    if values[subject] == nil { load(subject) }
    let otherwise: Certainty = values[subject]!.isComplete ? .no : .unknown
    let piece = rules.pieceOfPart[part]
    if piece >= 0, values[subject]!.found?.contains(piece) == false { return otherwise }
    let values = values[subject]!
    switch rules.parts[part] {
    case .arguments(let pattern): return values.isMissing ? .no : pattern.match(values.texts, counting: &steps)
    case .text(_, let patterns), .metadata(_, let patterns), .variable(_, let patterns):
      return match(patterns, rules.firstPattern[part], values, otherwise)
    case .user, .group, .time, .weekday, .under: return .unknown
    }
  }

  private mutating func match(
    _ patterns: [TextPattern], _ first: Int, _ values: RuleFacts.Values, _ otherwise: Certainty
  ) -> Certainty {
    var best = otherwise
    for (index, pattern) in patterns.enumerated() {
      let piece = rules.filter.pieces[first + index]
      steps += 2
      guard steps <= Self.maximumSteps else { return max(best, .unknown) }
      if piece >= 0, values.found?.contains(piece) == false { continue }
      for text in values.texts {
        best = max(best, pattern.match(text, counting: &steps))
        if best == .yes { return best }
      }
    }
    return best
  }

  /// Loads a subject, and finds the pieces of patterns in it. Only the beginnings of long texts are compared.
  private mutating func load(_ subject: Int) {
    var loaded = facts.values(of: rules.subjects[subject])
    let bytes = loaded.texts.reduce(0) { $0 + $1.bytes.count }
    steps += 2 * bytes
    if bytes <= 4 * TextPattern.maximumTextBytes {
      steps += 8 * bytes
      var found = rules.filter.nothing
      for text in loaded.texts {
        rules.filter.find(in: text.bytes, &found)
        if let normalized = text.normalized { rules.filter.find(in: normalized, &found) }
      }
      loaded.found = found
    }
    values[subject] = loaded
  }
}

extension Rule {
  /// Whether a request matches the rule with the certainty that its action needs.
  package func matches(_ facts: RuleFacts) -> Bool {
    var match = RuleMatch(CompiledRules([self]), facts)
    return match.matches(0)
  }

  /// Returns the first part that does not hold, otherwise the first unknown one; `nil` if all hold.
  package func failure(_ facts: RuleFacts) -> (part: RuleCondition.Part, certainty: Certainty)? {
    var match = RuleMatch(CompiledRules([self]), facts)
    let results = zip(parts, match.certainties(of: 0)).map { ($0, $1) }
    return results.first { $0.1 == .no } ?? results.first { $0.1 < .yes }
  }
}
