/// Rules prepared for matching: compares each shared condition once, and uses ``PatternFilter`` to skip patterns that cannot
/// match.
final class CompiledRules: Sendable {
  /// The part of a request that a condition applies to.
  enum Subject: Sendable, Hashable {
    case fact(RuleCondition.Fact)
    case metadata(ExactText)
    case variable(ExactText)
    case arguments
  }

  let rules: [Rule]
  /// For each rule, whether it allows requests, which requires a certain match.
  let allows: [Bool]
  /// The distinct parts of all conditions.
  let parts: [RuleCondition.Part]
  /// The indices in ``parts`` of each rule's parts, and the start of each rule.
  let partsOfRules: [Int]
  let starts: [Int]
  let subjects: [Subject]
  /// For each part, the index of its subject; -1 for a part without patterns.
  let subjectOfPart: [Int]
  /// For each part, the id of a piece of text that must occur in its subject; -1 if there is none.
  let pieceOfPart: [Int32]
  /// For each part, the index of its first pattern's piece in the filter.
  let firstPattern: [Int]
  let filter: PatternFilter

  init(_ rules: [Rule]) {
    var (parts, ids): ([RuleCondition.Part], [RuleCondition.Part: Int]) = ([], [:])
    var (partsOfRules, starts): ([Int], [Int]) = ([], [0])
    for rule in rules {
      for part in rule.parts {
        let id = ids[part] ?? parts.count
        if id == parts.count {
          ids[part] = id
          parts.append(part)
        }
        partsOfRules.append(id)
      }
      starts.append(partsOfRules.count)
    }
    var (subjects, places): ([Subject], [Subject: Int]) = ([], [:])
    var (subjectOfPart, firstPattern, patterns): ([Int], [Int], [TextPattern]) = ([], [], [])
    for part in parts {
      firstPattern.append(patterns.count)
      patterns += part.patterns
      guard let subject = part.subject else {
        subjectOfPart.append(-1)
        continue
      }
      let place = places[subject] ?? subjects.count
      if place == subjects.count {
        places[subject] = place
        subjects.append(subject)
      }
      subjectOfPart.append(place)
    }
    let filter = PatternFilter(patterns)
    // A part needs a piece if it has a single pattern, or a single pattern for one of its arguments.
    pieceOfPart = zip(parts, firstPattern).map { part, first in
      let needed = part.neededPatterns.map { filter.pieces[first + $0] }.filter { $0 >= 0 }
      return needed.min { filter.uses[Int($0)] < filter.uses[Int($1)] } ?? -1
    }
    allows = rules.map { if case .allow = $0.action { true } else { false } }
    (self.rules, self.parts, self.partsOfRules, self.starts) = (rules, parts, partsOfRules, starts)
    (self.subjects, self.subjectOfPart, self.firstPattern, self.filter) = (subjects, subjectOfPart, firstPattern, filter)
  }
}

extension RuleCondition.Part {
  fileprivate var subject: CompiledRules.Subject? {
    switch self {
    case .text(let fact, _): .fact(fact)
    case .metadata(let name, _): .metadata(name)
    case .variable(let name, _): .variable(name)
    case .arguments: .arguments
    case .user, .group, .time, .weekday, .under: nil
    }
  }

  /// The filter's patterns, in order.
  var patterns: [TextPattern] {
    switch self {
    case .text(_, let patterns), .metadata(_, let patterns), .variable(_, let patterns): patterns
    case .arguments(let pattern): pattern.elements.flatMap(\.patterns)
    case .user, .group, .time, .weekday, .under: []
    }
  }

  /// The indices in ``patterns`` of patterns without alternatives.
  fileprivate var neededPatterns: [Int] {
    guard case .arguments(let pattern) = self else { return patterns.count == 1 ? [0] : [] }
    var (needed, place): ([Int], Int) = ([], 0)
    for element in pattern.elements {
      if element.patterns.count == 1 { needed.append(place) }
      place += element.patterns.count
    }
    return needed
  }
}

extension ArgumentPattern.Element {
  fileprivate var patterns: [TextPattern] { if case .one(let patterns) = self { patterns } else { [] } }
}
