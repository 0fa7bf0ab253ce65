import OrderedCollections

/// Suggested rules, based on repeated answers by people.
package struct RuleSuggestions: Sendable {
  package struct Suggestion: Sendable, Hashable {
    package let rule: Rule
    /// The number of equal answers, and the times of the first and the last.
    package let count: Int
    package let first: Timestamp
    package let last: Timestamp
    /// Some of the answered presentations, newest last.
    package let evidence: [PresentationID]
  }

  /// A person's answer to a request with an act.
  private struct Answer {
    let presentation: Presentation
    let act: Act
    let button: String
    let isRefusal: Bool
    /// Whether the answer counts: not given by reflex, and with a button that a rule may press.
    let isEvidence: Bool
  }

  /// The properties that grouped answers share.
  private struct Group: Hashable {
    let owner: Owner
    let program: String
    let isAncestor: Bool
    let surface: String
    let verb: String
    let directory: String?
  }

  /// The minimum time of a considered answer; faster ones count as reflex.
  private static let leastTime = Duration.milliseconds(500)
  private static let day = 86_400_000

  /// The minimum number of answers for a suggestion.
  let minimum: Int
  private let commands: CommandTable
  private var answers: OrderedDictionary<Group, [Answer]> = [:]

  package init(minimum: Int = 5, _ commands: CommandTable = .standard) {
    (self.minimum, self.commands) = (minimum, commands)
  }

  package mutating func add(_ presentation: Presentation) {
    let request = presentation.sentRequest
    guard presentation.isByPerson, presentation.ruling == nil, case .answered(.button(let id)) = presentation.outcome,
      let act = request.act,
      let button = presentation.request.buttons.first(where: { $0.id == id }),
      let (program, isAncestor) = presentation.requester.process.trustedProgram(agent: request.agent)
    else { return }
    let time = presentation.presentedAt.flatMap { shown in presentation.resolvedAt.map { $0.duration(since: shown) } } ?? .zero
    let group = Group(
      owner: presentation.requester.process.owner, program: program, isAncestor: isAncestor, surface: request.surface,
      verb: act.verb, directory: act.directory)
    answers[group, default: []].append(
      Answer(
        presentation: presentation, act: act, button: id, isRefusal: button.role == .cancel,
        isEvidence: time >= Self.leastTime && button.role != .destructive && request.isRememberable))
  }

  /// Returns the rules, denials first, without redundant ones.
  ///
  /// - Parameter existing: The ids in use.
  package func suggestions(besides existing: Set<String> = []) -> [Suggestion] {
    var used = existing
    let found = answers.flatMap { group, answers in
      // Groups by the effect of a known command, otherwise by the exact act.
      let parts = OrderedDictionary(grouping: answers) { answer in answer.act.prefixKey(commands) ?? answer.act.digest }
      return parts.values.flatMap { part in
        if let found = suggestion(group, part, &used) { return [found] }
        let acts = OrderedDictionary(grouping: part, by: \.act.digest)
        return acts.count == 1 ? [] : acts.values.compactMap { suggestion(group, $0, &used) }
      }
    }
    return found.filter(\.rule.isDenial) + found.filter { !$0.rule.isDenial }
  }

  private func suggestion(
    _ group: Group, _ part: [Answer], _ used: inout Set<String>
  ) -> Suggestion? {
    let evidence = part.filter(\.isEvidence)
    guard let first = evidence.first, let last = evidence.last, evidence.count >= minimum,
      Set(evidence.map { $0.presentation.requestedAt.milliseconds / Int64(Self.day) }).count >= 2,
      part.allSatisfy({ $0.button == first.button })
    else { return nil }
    let acts = evidence.map(\.act)
    guard let condition = try? condition(group, acts) else { return nil }
    let id = Self.id(group, first.act, first.isRefusal, &used)
    guard let rule = try? Rule(id, condition, first.isRefusal ? .deny(message: nil) : .allow(button: nil)) else { return nil }
    let compiled = CompiledRules([rule])
    guard
      // A rule for these answers must not contradict any other answer.
      self.answers.values.joined().allSatisfy({ answer in
        var match = RuleMatch(
          compiled, RuleFacts(answer.presentation.sentRequest, by: answer.presentation.requester, home: group.owner.host))
        return !match.matches(0) || answer.button == first.button
      }),
      first.isRefusal || rule.allowedButton(of: first.presentation.sentRequest, commands) == first.button
    else { return nil }
    return Suggestion(
      rule: rule, count: evidence.count, first: first.presentation.requestedAt, last: last.presentation.requestedAt,
      evidence: evidence.suffix(3).map(\.presentation.id))
  }

  private func condition(_ group: Group, _ acts: [Act]) throws(JSONError) -> RuleCondition {
    var condition = try RuleCondition(group.owner, group.program, isAncestor: group.isAncestor, surface: group.surface)
    condition.texts[.verb] = [try TextPattern(TextPattern.escaping(group.verb))]
    if let directory = group.directory { condition.texts[.actDirectory] = [try TextPattern(TextPattern.escaping(directory))] }
    try condition.setTarget(of: acts)
    return condition
  }

  private static func id(_ group: Group, _ act: Act, _ isRefusal: Bool, _ used: inout Set<String>) -> String {
    let words = [isRefusal ? "no" : "", act.verb] + (act.arguments?.prefix(2) ?? [])
    return Rule.id(of: words.joined(separator: "-"), &used)
  }
}

extension Rule {
  package var isDenial: Bool { if case .deny = action { true } else { false } }

  /// Creates an id from a text; appends a number if the id is in use.
  package static func id(of text: String, _ used: inout Set<String>) -> String {
    let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let base = words.isEmpty ? "rule" : String(words.joined(separator: "-").prefix(56))
    var (id, number) = (base, 2)
    while !used.insert(id).inserted {
      id = "\(base)-\(number)"
      number += 1
    }
    return id
  }

  /// Converts a remembered answer to a rule without an end.
  ///
  /// - Parameters:
  ///   - whole: The act of the answered request.
  ///   - program: The executable of the process that the grant is bound to.
  /// - Throws: ``JSONError`` if no rule can express it.
  package init(
    of grant: Grant, _ whole: Act, program: String, used: inout Set<String>, _ commands: CommandTable = .standard
  ) throws(JSONError) {
    let width = grant.condition.width
    guard let act = whole.part(width), act.digest == grant.condition.digest else {
      throw JSONError("the act on record is not what it covers")
    }
    var condition = try RuleCondition(grant.condition.owner, program, isAncestor: true, surface: grant.condition.surface)
    condition.texts[.verb] = [try TextPattern(TextPattern.escaping(act.verb))]
    if width.match != .under, let directory = act.directory {
      condition.texts[.actDirectory] = [try TextPattern(TextPattern.escaping(directory))]
    }
    guard act.files.isEmpty else { throw JSONError("an act with the contents of files has no rule") }
    for (name, value) in act.environment { condition.environment[name] = [try TextPattern(TextPattern.escaping(value))] }
    switch width.match {
    case .exact: try condition.setTarget(of: [act])
    case .prefix:
      do throws(CommandTable.Obstacle) {
        _ = try act.prefix(in: commands)
      } catch {
        throw JSONError("the command \(error.why): only an exact answer has a rule")
      }
      let elements = try (act.arguments ?? []).map { (argument) throws(JSONError) in
        try ArgumentPattern.Element(literal: argument)
      }
      condition.arguments = try ArgumentPattern(elements + [.rest])
    case .under: condition.under = act.directory.map { [$0] }
    case .verb: condition.texts[.object] = [try TextPattern("**")]
    }
    try self.init(
      Rule.id(of: ([act.verb] + (act.arguments?.prefix(2) ?? [])).joined(separator: "-"), &used), condition,
      grant.isRefusal ? .deny(message: nil) : .allow(button: grant.button))
  }
}

extension RuleCondition {
  fileprivate init(_ owner: Owner, _ program: String, isAncestor: Bool, surface: String) throws(JSONError) {
    self.init()
    users = [owner.uid]
    if !owner.host.isEmpty { texts[.host] = [try TextPattern(TextPattern.escaping(owner.host))] }
    texts[isAncestor ? .ancestor : .executable] = [try TextPattern(TextPattern.escaping(program))]
    texts[.surface] = [try TextPattern(TextPattern.escaping(surface))]
  }

  /// Extends the condition to acts that differ in at most one argument, by listing the values of that argument.
  fileprivate mutating func setTarget(of acts: [Act]) throws(JSONError) {
    guard let act = acts.first, acts.allSatisfy(\.files.isEmpty), act.object != nil || act.arguments != nil else {
      throw JSONError("an act with the contents of files, or without an object, has no rule")
    }
    for (name, value) in act.environment { environment[name] = [try TextPattern(TextPattern.escaping(value))] }
    guard let arguments = act.arguments else {
      if let object = act.object { texts[.object] = [try TextPattern(TextPattern.escaping(object))] }
      return
    }
    if let object = act.object, acts.allSatisfy({ $0.object?.utf8.elementsEqual(object.utf8) == true }) {
      texts[.object] = [try TextPattern(TextPattern.escaping(object))]
    }
    let lists = acts.map { $0.arguments ?? [] }
    guard lists.allSatisfy({ $0.count == arguments.count }) else {
      throw JSONError("acts with different numbers of arguments have no rule")
    }
    var elements: [ArgumentPattern.Element] = []
    for index in arguments.indices {
      // Compares bytes, because equal strings may differ in bytes.
      let values = OrderedSet(lists.map { Array($0[index].utf8) }).map { String(decoding: $0, as: UTF8.self) }
      elements.append(try ArgumentPattern.Element(anyOf: values))
    }
    guard elements.count(where: { !$0.isSingle }) <= 1 else {
      throw JSONError("acts that differ in several arguments have no rule: it would allow combinations of them")
    }
    self.arguments = try ArgumentPattern(elements)
  }
}

extension ArgumentPattern.Element {
  /// The maximum number of values that an element lists.
  private static let maximumCount = 256

  fileprivate init(literal argument: String) throws(JSONError) { try self.init(anyOf: [argument]) }

  fileprivate init(anyOf values: [String]) throws(JSONError) {
    guard values.count <= Self.maximumCount else {
      throw JSONError("must have at most \(Self.maximumCount) alternatives")
    }
    self = .one(try values.map { (value) throws(JSONError) in try TextPattern(TextPattern.escaping(value)) })
  }

  fileprivate var isSingle: Bool { if case .one(let patterns) = self { patterns.count == 1 } else { false } }
}

extension Act {
  /// The common part of acts that one rule may cover: the command's effect, and the variables; `nil` if a rule may cover only
  /// an equal act.
  fileprivate func prefixKey(_ commands: CommandTable) -> String? {
    guard let arguments, let count = try? prefix(in: commands) else { return nil }
    return JSONText { $0.add("argv", Array(arguments.prefix(count))) }.description
      + JSONText { $0.add("environment", environment) }.description
  }
}

extension ProcessIdentity {
  /// The executable of a process of the ancestry; `nil` if it could not be read.
  package func trustedExecutable(of pid: Int32, started: Int) -> String? {
    ancestry?.first { $0.pid == pid && $0.started == started }?.trustedExecutable
  }

  /// Returns the executable for a rule about the requester, and whether it belongs to an ancestor: the agent's executable,
  /// otherwise that of the nearest ancestor that is neither a shell nor routerctl.
  fileprivate func trustedProgram(agent: Int32?) -> (path: String, isAncestor: Bool)? {
    let above = (ancestry ?? []).dropFirst()
    if let agent, let path = above.first(where: { $0.pid == agent })?.trustedExecutable { return (path, true) }
    if let path = ancestry?.first?.trustedExecutable, ancestry?.first?.name != "routerctl" { return (path, false) }
    let program = above.first { !$0.isPlainShell && $0.pid != 1 && $0.name != "routerctl" && $0.trustedExecutable != nil }
    return program?.trustedExecutable.map { ($0, true) }
  }
}
