import OrderedCollections

/// A rule of `rules.yaml`: a condition, and the action for matching requests.
package struct Rule: Sendable, Hashable {
  package enum Action: Sendable, Hashable {
    /// Presses a button; `nil` for the only one that is neither a cancel button nor destructive.
    case allow(button: String?)
    /// Presses the cancel button, or ends the request as refused if it has none.
    case deny(message: String?)
    /// Asks a person, with these changes.
    case ask(Changes)
  }

  /// The changes that a rule makes to a request before a person is asked. Each makes approval harder.
  package struct Changes: Sendable, Hashable {
    /// The maximum priority.
    package var priority: PresentationOptions.Priority?
    /// Whether to make all buttons destructive, except those with the role cancel.
    package var isDestructive = false
    /// Whether the answer may be remembered.
    package var mayRemember = true
    /// The number of people who must answer.
    package var require: PresentationRequest.Requirement?

    package init(
      priority: PresentationOptions.Priority? = nil, isDestructive: Bool = false, mayRemember: Bool = true,
      require: PresentationRequest.Requirement? = nil
    ) {
      (self.priority, self.isDestructive, self.mayRemember, self.require) = (priority, isDestructive, mayRemember, require)
    }
  }

  package let id: String
  package let condition: RuleCondition
  package let action: Action
  let parts: [RuleCondition.Part]
  /// Whether this version accepts the rule. Rules recorded by another version may be too permissive.
  private var isSound = true

  package init(_ id: String, _ condition: RuleCondition, _ action: Action) throws(JSONError) {
    self.init(unchecked: id, condition, action)
    try check()
  }

  private init(unchecked id: String, _ condition: RuleCondition, _ action: Action) {
    (self.id, self.condition, self.action, parts) = (id, condition, action, condition.parts)
    isSound = (try? check()) != nil
  }
}

extension Rule {
  /// Whether a certainty is sufficient for the rule's action: permissions need full certainty.
  package func applies(_ certainty: Certainty) -> Bool {
    if case .allow = action { certainty == .yes } else { certainty != .no }
  }

  /// Whether the rule can decide a matching request. A rule that allows may be unable to.
  package func mayDecide(_ request: PresentationRequest, _ commands: CommandTable = .standard) -> Bool {
    if case .allow = action { allowedButton(of: request, commands) != nil } else { true }
  }

  /// Returns the button that the rule presses without asking; `nil` if a person must be asked.
  package func allowedButton(of request: PresentationRequest, _ commands: CommandTable = .standard) -> String? {
    guard let act = request.act else { return nil }
    var open = OpenAct(act, commands)
    return allowedButton(of: request, &open)
  }

  func allowedButton(of request: PresentationRequest, _ open: inout OpenAct) -> String? {
    guard case .allow(let name) = action, isSound, request.isRememberable, condition.obstacle(to: &open) == nil else {
      return nil
    }
    let buttons = request.buttons.filter { $0.role == nil }
    if let name { return buttons.contains { $0.id.isSame(as: name) } ? name : nil }
    return buttons.count == 1 ? buttons[0].id : nil
  }

  private func check() throws(JSONError) {
    let isID = id.utf8.allSatisfy { $0.isSmallLetter || "0123456789-".utf8.contains($0) }
    guard (1...64).contains(id.utf8.count), isID else {
      throw JSONError("must be 1 to 64 of a to z, 0 to 9 and -", at: "/id")
    }
    guard condition != RuleCondition() else {
      throw JSONError("must not be empty; for all requests, write surface: \"**\"", at: "/match")
    }
    if case .ask(let changes) = action, changes.require?.button != nil {
      throw JSONError(
        "is not for rules, because requests name their buttons: every button but a no needs the people", at: "/require/button")
    }
    guard case .allow = action else { return }
    let texts = condition.texts
    guard condition.users != nil else {
      throw JSONError("allow needs user; any of a user's programs can claim the rest, apart from unit", at: "/match")
    }
    guard texts[.verb]?.allSatisfy(\.isLiteral) == true, condition.describesTarget else {
      throw JSONError("allow needs act.verb without wildcards, and one of act.object, act.argv and act.under", at: "/match")
    }
    guard let arguments = condition.arguments, !arguments.isExact, arguments.programs == nil else { return }
    throw JSONError("allow needs the program's name as the first element, without wildcards", at: "/match/act/argv/0")
  }
}

// MARK: JSON

extension Rule: JSONObject, JSONPart {
  package static var schema: JSONValue { .schema("Rule") }

  /// The format of the event `rulesLoaded`. Users and groups are stored as numbers.
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("id", id)
    writer.add("match", condition)
    switch action {
    case .allow(let button):
      writer.add("then", "allow")
      writer.add("button", ifPresent: button)
    case .deny(let message):
      writer.add("then", "deny")
      writer.add("message", ifPresent: message)
    case .ask(let changes):
      writer.add("then", changes.require == nil ? "ask" : "require")
      writer.add("require", ifPresent: changes.require)
      writer.add("priority", ifPresent: changes.priority?.rawValue)
      if changes.isDestructive { writer.add("destructive", true) }
      if !changes.mayRemember { writer.add("remember", false) }
    }
  }

  private enum Verb: String, JSONName {
    case allow, deny, ask, require
  }

  /// Decodes a recorded rule, which another version may have checked by other criteria. Ignores unknown members of newer
  /// versions, except in the condition, where ignoring a member would match more requests.
  init(recorded json: JSONValue, at pointer: String) throws(JSONError) {
    try self.init(json: json, at: pointer, isRecorded: true)
  }

  /// Decodes and checks a rule.
  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    try self.init(json: json, at: pointer, isRecorded: false)
  }

  private init(json: JSONValue, at pointer: String, isRecorded: Bool) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    let id = try reader.required("id", as: String.self)
    let condition = try reader("match") ?? RuleCondition()
    let action: Action
    let verb = try reader.required("then", as: Verb.self)
    switch verb {
    case .allow:
      action = .allow(button: try reader.string("button"))
    case .deny:
      let message = try reader.string("message")
      if let message { try TextRule.comment.check(message, at: pointer + "/message") }
      action = .deny(message: message)
    case .ask, .require:
      var requirement: PresentationRequest.Requirement?
      if verb == .require {
        guard let found = try reader("require", as: PresentationRequest.Requirement.self) else {
          throw reader.error("is missing: how many people must answer, as {answers: 2}", at: "require")
        }
        requirement = found
      }
      let priority = try reader("priority", as: PresentationOptions.Priority.self)
      action = .ask(
        Changes(
          priority: priority, isDestructive: try reader.bool("destructive") ?? false,
          mayRemember: try reader.bool("remember") ?? true, require: requirement))
    }
    if isRecorded {
      self.init(unchecked: id, condition, action)
      return
    }
    try reader.finish(ofKnown: [
      "id", "match", "then", "button", "message", "priority", "destructive", "remember", "require", "examples",
    ])
    do {
      try self.init(id, condition, action)
    } catch {
      throw JSONError(error.message, at: pointer + error.pointer)
    }
  }
}

extension RuleCondition: JSONObject, JSONPart {
  private static let names =
    ["user", "group", "time", "weekday"] + Fact.allCases.filter { !$0.rawValue.begins(with: "act.") }.map(\.rawValue) + [
      "metadata", "act",
    ]

  package func addMembers(to writer: inout JSONWriter) {
    func list(_ patterns: [TextPattern]) -> JSONValue { .array(patterns.map { .string($0.text) }) }
    func table(_ patterns: [String: [TextPattern]]) -> JSONValue {
      .object(OrderedDictionary(uniqueKeysWithValues: patterns.sorted { $0.key < $1.key }.map { ($0, list($1)) }))
    }
    if let users { writer.add("user", .array(users.map { .integer(Int($0)) })) }
    if let groups { writer.add("group", .array(groups.map { .integer(Int($0)) })) }
    if let times { writer.add("time", times.map(\.description)) }
    if let weekdays { writer.add("weekday", weekdays.map(\.rawValue)) }
    var act: OrderedDictionary<String, JSONValue> = [:]
    var others: OrderedDictionary<String, JSONValue> = [:]
    for fact in Fact.allCases {
      guard let patterns = texts[fact] else { continue }
      if let name = fact.memberOfAct { act[name] = list(patterns) } else { others[fact.rawValue] = list(patterns) }
    }
    writer.add(members: others)
    if !metadata.isEmpty { writer.add("metadata", table(metadata)) }
    if let arguments { act["argv"] = arguments.json }
    if let under { act["under"] = .array(under.map { .string($0) }) }
    if !environment.isEmpty { act["environment"] = table(environment) }
    if !act.isEmpty { writer.add("act", .object(act)) }
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    self.init()
    var reader = try JSONObjectReader(json, at: pointer)
    users = try reader.numbers("user")
    groups = try reader.numbers("group")
    times = try reader.alternatives("time", expected: "times, as 22:00-07:00", DayTime.Span.init)
    weekdays = try reader.alternatives("weekday", expected: "days, as mon", DayTime.Weekday.init)
    for fact in Fact.allCases where fact.memberOfAct == nil {
      texts[fact] = try reader.patterns(fact.rawValue, known: fact.knownTexts)
    }
    metadata = try reader.patternTable("metadata") ?? [:]
    if let act = reader.any("act"), act != .null {
      var reader = try JSONObjectReader(act, at: pointer + "/act")
      for fact in Fact.allCases {
        if let name = fact.memberOfAct { texts[fact] = try reader.patterns(name, known: nil) }
      }
      if let value = reader.any("argv"), value != .null {
        arguments = try ArgumentPattern(json: value, at: pointer + "/act/argv")
      }
      under = try reader.directories("under")
      environment = try reader.patternTable("environment") ?? [:]
      try reader.finish(ofKnown: ["verb", "object", "argv", "under", "directory", "environment"])
      guard describesAct else { throw JSONError("must not be empty", at: pointer + "/act") }
    }
    try reader.finish(ofKnown: Self.names)
  }
}

extension RuleCondition.Fact {
  /// The member name within the condition's `act`; `nil` for other facts.
  fileprivate var memberOfAct: String? { rawValue.begins(with: "act.") ? String(rawValue.dropFirst(4)) : nil }

  /// The possible values of the fact; `nil` if any text is possible.
  fileprivate var knownTexts: [String]? {
    switch self {
    case .kind: PresentationKind.allCases.map(\.rawValue)
    case .priority: PresentationOptions.Priority.allCases.map(\.rawValue)
    case .severity: PresentationOptions.Severity.allCases.map(\.rawValue)
    default: nil
    }
  }
}

extension ArgumentPattern {
  fileprivate var json: JSONValue {
    .array(
      elements.map { element in
        switch element {
        case .rest: "..."
        case .one(let patterns): .array(patterns.map { .string($0.text) })
        }
      })
  }

  fileprivate init(json: JSONValue, at pointer: String) throws(JSONError) {
    guard let values = json.array else { throw JSONError("must be a list, such as [git, status, ...]", at: pointer) }
    var elements: [Element] = []
    for (index, value) in values.enumerated() {
      let place = "\(pointer)/\(index)"
      elements.append(value.string == "..." ? .rest : .one(try value.patterns(at: place)))
    }
    do { try self.init(elements) } catch { throw JSONError(error.message, at: pointer) }
  }
}

extension JSONValue {
  /// The maximum number of alternatives in a list.
  private static let maximumCount = 256

  /// The elements of a list, or a single value.
  fileprivate func alternatives(at pointer: String) throws(JSONError) -> [(value: JSONValue, pointer: String)] {
    guard let values = array else { return [(self, pointer)] }
    guard (1...Self.maximumCount).contains(values.count) else {
      throw JSONError("must have 1 to \(Self.maximumCount) alternatives", at: pointer)
    }
    return values.enumerated().map { ($1, "\(pointer)/\($0)") }
  }

  fileprivate func patterns(at pointer: String) throws(JSONError) -> [TextPattern] {
    var patterns: [TextPattern] = []
    for (value, place) in try alternatives(at: pointer) {
      guard let text = value.string else { throw JSONError("must be a text, not \(value.typeName)", at: place) }
      do { patterns.append(try TextPattern(text)) } catch { throw JSONError(error.message, at: place) }
    }
    return patterns
  }
}

extension JSONObjectReader {
  fileprivate mutating func numbers(_ key: String) throws(JSONError) -> [UInt32]? {
    guard let value = value(key) else { return nil }
    var numbers: [UInt32] = []
    for (value, place) in try value.alternatives(at: pointer(to: key)) {
      guard let number = value.number?.integer.flatMap(UInt32.init(exactly:)) else {
        throw JSONError("must be a number", at: place)
      }
      numbers.append(number)
    }
    return numbers
  }

  fileprivate mutating func alternatives<Value>(
    _ key: String, expected: String, _ parse: (String) -> Value?
  ) throws(JSONError) -> [Value]? {
    guard let value = value(key) else { return nil }
    var values: [Value] = []
    for (value, place) in try value.alternatives(at: pointer(to: key)) {
      guard let parsed = value.string.flatMap(parse) else { throw JSONError("must be \(expected)", at: place) }
      values.append(parsed)
    }
    return values
  }

  fileprivate mutating func patterns(_ key: String, known: [String]?) throws(JSONError) -> [TextPattern]? {
    guard let value = value(key) else { return nil }
    let patterns = try value.patterns(at: pointer(to: key))
    if let known, let pattern = patterns.first(where: { pattern in !known.contains { pattern.match($0) == .yes } }) {
      throw error("must be one of \(known.joined(separator: ", ")), not \(pattern.text.shortened)", at: key)
    }
    return patterns
  }

  fileprivate mutating func patternTable(_ key: String) throws(JSONError) -> [String: [TextPattern]]? {
    guard let value = value(key) else { return nil }
    guard let members = value.object, !members.isEmpty else { throw error("must have patterns by name", at: key) }
    var table: [String: [TextPattern]] = [:]
    for (name, member) in members {
      table[name] = try member.patterns(at: pointer(to: key) + "/" + JSONPointer.escape(name))
    }
    return table
  }

  fileprivate mutating func directories(_ key: String) throws(JSONError) -> [String]? {
    guard let value = value(key) else { return nil }
    var directories: [String] = []
    for (value, place) in try value.alternatives(at: pointer(to: key)) {
      guard let path = value.string, path == "/" || Act.isPath(path, below: "/") else {
        throw JSONError("must be the absolute path of a directory, without . and .. and a / at the end", at: place)
      }
      directories.append(path)
    }
    return directories
  }

  /// Checks that no members are left. Suggests a known name for an unknown one.
  fileprivate func finish(ofKnown names: [String]) throws(JSONError) {
    guard let name = untaken else { return }
    if names.contains(name) { throw error("cannot be combined with this then", at: name) }
    if let dot = name.firstIndex(of: "."), names.contains(String(name[..<dot])) {
      throw error("is written as \(name[..<dot]): {\(name[dot...].dropFirst()): …}", at: name)
    }
    let suggestion = names.nearest(to: name).map { " Did you mean \($0)?" } ?? " Known are \(names.joined(separator: ", "))."
    throw error("is not known.\(suggestion)", at: name)
  }
}
