import OrderedCollections
package import Router

/// The file `rules.yaml`, parsed and tested with its own examples.
package struct RulesFile: Sendable {
  package let rules: RuleSet
  /// The line of each rule.
  package let lines: [String: Int]
  /// The commands that a rule may allow with varying arguments.
  package let commands: CommandTable

  /// Looks up the ids of users and groups.
  package struct Accounts: Sendable {
    package let user: @Sendable (String) throws -> UInt32
    package let group: @Sendable (String) throws -> UInt32

    package init(user: @escaping @Sendable (String) throws -> UInt32, group: @escaping @Sendable (String) throws -> UInt32) {
      (self.user, self.group) = (user, group)
    }

    /// The system's user database.
    package static let system = Accounts(
      user: { try AccountNames.user($0) }, group: { try AccountNames.group($0) })
  }

  /// Parses the text of a rules file.
  package init(
    path: String, text: String, accounts: Accounts = .system, _ commands: CommandTable = .standard
  ) throws(RulesError) {
    guard text.utf8.count <= RuleSet.maximumBytes else {
      throw RulesError(path, line: 1, "has more than \(RuleSet.maximumBytes) bytes")
    }
    // YAML recognizes line ends that are invisible in a review of the changes.
    for (index, line) in text.lines.enumerated() {
      guard let scalar = line.unicodeScalars.first(where: { $0 != "\t" && $0.isHiddenInText }) else { continue }
      throw RulesError(path, line: index + 1, "has the character \(scalar.escape), which is not visible")
    }
    let root: YAMLNode?
    do { root = try YAMLReader.read(text) } catch { throw RulesError(path, line: error.line, error.message) }
    var (rules, lines, patterns): ([Rule], [String: Int], Int) = ([], [:], 0)
    for node in try Self.list(of: root, path) {
      let rule = try Self.rule(node, path, accounts)
      if let first = lines.updateValue(node.line, forKey: rule.id) {
        throw RulesError(path, line: node.line, rule: rule.id, "has the id of the rule on line \(first)")
      }
      patterns += rule.condition.patternCount
      guard patterns <= RuleSet.maximumPatterns else {
        throw RulesError(
          path, line: node.line, rule: rule.id,
          "with it, the rules have more than \(RuleSet.maximumPatterns) patterns; remove some")
      }
      try Self.checkExamples(of: rule, node, path, commands)
      rules.append(rule)
    }
    guard rules.count <= RuleSet.maximumCount else {
      throw RulesError(path, line: 1, "has more than \(RuleSet.maximumCount) rules")
    }
    self.rules = RuleSet(file: path, text: text, rules: rules)
    (self.lines, self.commands) = (lines, commands)
  }

  /// Returns the text to append to a file for additional rules: their lines, and any missing header.
  ///
  /// - Throws: ``RulesError`` if the file is invalid or cannot be appended to.
  package static func addition(
    of rules: [String], to text: String, path: String, accounts: Accounts = .system, _ commands: CommandTable
  ) throws(RulesError) -> String {
    _ = try RulesFile(path: path, text: text, accounts: accounts, commands)
    for start in [[], ["rules:"], ["version: 1", "rules:"]] {
      let addition = (text.isEmpty || text.hasSuffix("\n") ? "" : "\n") + (start + rules).joined(separator: "\n") + "\n"
      if (try? RulesFile(path: path, text: text + addition, accounts: accounts, commands)) != nil { return addition }
    }
    let line = (try? YAMLReader.read(text))?["rules"]?.line ?? 1
    throw RulesError(
      path, line: line,
      "nothing can be appended to rules as it is written: write rules: alone on its line, without [], and begin each rule with \"- id:\""
    )
  }

  /// Checks that the daemon knows all lists of approvers that the rules require.
  package func check(_ approvers: Approvers) throws(RulesError) {
    for rule in rules.rules {
      guard case .ask(let changes) = rule.action,
        let list = changes.require?.lists.first(where: { approvers.lists[$0] == nil })
      else { continue }
      throw RulesError(
        rules.file, line: lines[rule.id] ?? 1, rule: rule.id,
        "require.from names \(list), which is not a list of approvers in routerd.yaml")
    }
  }

  /// Checks the version and returns the elements of `rules`.
  private static func list(of root: YAMLNode?, _ path: String) throws(RulesError) -> [YAMLNode] {
    guard let root, !root.isNull else { return [] }
    guard let members = root.members else { throw RulesError(path, line: root.line, "must have version and rules") }
    for member in members where !["version", "rules"].contains(member.name) {
      throw RulesError(path, line: member.line, "\(member.name.shortened) is not known; the file has version and rules")
    }
    guard let version = root["version"], version.text == "1" else {
      throw RulesError(path, line: root["version"]?.line ?? root.line, "must have version: 1")
    }
    guard let rules = root["rules"], !rules.isNull else { return [] }
    guard case .list(let elements) = rules.content else {
      throw RulesError(path, line: rules.line, "rules must be a list: begin each rule with \"- id:\"")
    }
    return elements
  }

  private static func rule(_ node: YAMLNode, _ path: String, _ accounts: Accounts) throws(RulesError) -> Rule {
    let id = node["id"]?.text
    guard let members = node.members else { throw RulesError(path, line: node.line, "a rule must have id, match and then") }
    var document: OrderedDictionary<String, JSONValue> = [:]
    do {
      for member in members where member.name != "examples" {
        document[member.name] = try json(member, accounts)
      }
      return try Rule(json: .object(document), at: "")
    } catch let error as JSONError {
      let field = error.pointer.split(at: "/").filter { UInt($0) == nil }.joined(separator: ".")
      throw RulesError(
        path, line: node.line(at: error.pointer), rule: id,
        error.message.begins(with: "allow ") ? error.message : "\(field) \(error.message)")
    } catch let error as YAMLError {
      throw RulesError(path, line: error.line, rule: id, error.message)
    } catch {
      throw RulesError(path, line: node.line, rule: id, "\(error)")
    }
  }

  private static func json(_ member: YAMLNode.Member, _ accounts: Accounts) throws -> JSONValue {
    switch member.name {
    case "match":
      guard case .members(let members) = member.value.content else { return try member.value.json() }
      return .object(
        try members.reduce(into: [:]) { match, member in
          switch member.name {
          case "user": match["user"] = try member.value.numbers(accounts.user)
          case "group": match["group"] = try member.value.numbers(accounts.group)
          default: match[member.name] = try member.value.json()
          }
        })
    case "remember", "destructive": return .bool(try member.value.truth(member.name))
    case "require":
      guard case .members(let members) = member.value.content else { return try member.value.json() }
      return .object(
        try members.reduce(into: [:]) { require, member in
          let isNumber = ["answers", "hosts"].contains(member.name)
          require[member.name] = isNumber ? member.value.wholeNumber.map { .integer($0) } : nil
          if require[member.name] == nil { require[member.name] = try member.value.json() }
        })
    default: return try member.value.json()
    }
  }
}

/// An error in a rules file.
package struct RulesError: Error, Sendable, CustomStringConvertible {
  package let file: String
  package let line: Int
  /// The id of the rule.
  package let rule: String?
  package let message: String
  /// Whether an example failed.
  package let isExample: Bool

  init(_ file: String, line: Int, rule: String? = nil, isExample: Bool = false, _ message: String) {
    (self.file, self.line, self.rule, self.isExample, self.message) = (file, line, rule, isExample, message)
  }

  package var description: String { "\(file):\(line): " + (rule.map { "\($0.shortened): " } ?? "") + message }
}

// MARK: Examples

extension RulesFile {
  /// The keys of `examples`: commands or objects that the rule's act must match, and those that it must not match.
  private enum Expectation: String, CaseIterable {
    case match, not
  }

  private static func checkExamples(
    of rule: Rule, _ node: YAMLNode, _ path: String, _ commands: CommandTable
  ) throws(RulesError) {
    guard let examples = node["examples"], !examples.isNull else { return }
    guard let members = examples.members else {
      throw RulesError(path, line: examples.line, rule: rule.id, "examples must have match and not")
    }
    guard rule.condition.describesTarget else {
      throw RulesError(path, line: examples.line, rule: rule.id, "examples need act.object, act.argv or act.under in match")
    }
    for member in members {
      guard let expectation = Expectation(rawValue: member.name) else {
        throw RulesError(path, line: member.line, rule: rule.id, "examples have match and not, and no \(member.name.shortened)")
      }
      for example in member.value.elements {
        guard let text = example.text else {
          throw RulesError(path, line: example.line, rule: rule.id, "an example must be a text")
        }
        try check(text, expectation, rule, commands, RulesError(path, line: example.line, rule: rule.id, isExample: true, ""))
      }
    }
  }

  private static func check(
    _ text: String, _ expectation: Expectation, _ rule: Rule, _ commands: CommandTable, _ place: RulesError
  ) throws(RulesError) {
    // As sent by the agents' hooks.
    let isPath = text.begins(with: "/") && rule.condition.under != nil
    let act = Act("", object: text, arguments: isPath ? nil : PlainWords.of(text))
    var isMatch = rule.applies(rule.condition.matchTarget(act))
    var why = ""
    if isMatch, case .allow = rule.action, let obstacle = rule.condition.obstacle(to: act, commands) {
      (isMatch, why) = (false, ": it \(obstacle.why)")
    }
    guard isMatch != (expectation == .match) else { return }
    throw RulesError(
      place.file, line: place.line, rule: rule.id, isExample: true,
      isMatch
        ? "the example \"\(text.shortened)\" must not match, and does"
        : "the example \"\(text.shortened)\" must match, and does not\(why)")
  }
}

extension YAMLNode {
  fileprivate var isNull: Bool { if case .null = content { true } else { false } }
  fileprivate var text: String? { if case .text(let text) = content { text } else { nil } }
  /// The elements of a list; a single value counts as one.
  fileprivate var elements: [YAMLNode] { if case .list(let elements) = content { elements } else { [self] } }

  fileprivate var wholeNumber: Int? { text.flatMap { Int($0) } }

  fileprivate subscript(name: String) -> YAMLNode? { members?.first { $0.name == name }?.value }

  fileprivate func json() throws -> JSONValue {
    switch content {
    case .null: throw YAMLError("a value is missing", line: line)
    case .text(let text): .string(text)
    case .list(let elements): .array(try elements.map { try $0.json() })
    case .members(let members): .object(try members.reduce(into: [:]) { $0[$1.name] = try $1.value.json() })
    }
  }

  fileprivate func numbers(_ lookUp: (String) throws -> UInt32) throws -> JSONValue {
    .array(
      try elements.map { element in
        guard let name = element.text else {
          throw YAMLError("a user or a group must be a name or a number", line: element.line)
        }
        do {
          return .integer(Int(try lookUp(name)))
        } catch {
          throw YAMLError("\(error)", line: element.line)
        }
      })
  }

  fileprivate func truth(_ name: String) throws(YAMLError) -> Bool {
    switch text {
    case "yes", "true": return true
    case "no", "false": return false
    default: throw YAMLError("\(name) must be yes or no", line: line)
    }
  }

  /// The line of the node at a JSON pointer, or of its nearest ancestor.
  fileprivate func line(at pointer: String) -> Int {
    var (node, line) = (self, line)
    for part in pointer.split(at: "/") {
      let name = JSONPointer.unescape(part)
      if let member = node.members?.first(where: { $0.name.isSame(as: name) }) {
        (node, line) = (member.value, member.line)
      } else if case .list(let elements) = node.content, let index = Int(name), elements.indices.contains(index) {
        (node, line) = (elements[index], elements[index].line)
      } else {
        break
      }
    }
    return line
  }
}
