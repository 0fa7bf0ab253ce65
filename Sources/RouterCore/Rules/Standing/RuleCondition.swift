import OrderedCollections

/// The condition of a rule. All parts must hold.
package struct RuleCondition: Sendable, Hashable {
  /// A textual fact about a request, in the order in which rules are explained.
  package enum Fact: String, Sendable, Hashable, CaseIterable {
    // From the kernel.
    case host, executable, ancestor, unit, directory
    // From the program.
    case app, surface, kind, priority, severity, title, message, sheet
    case verb = "act.verb"
    case object = "act.object"
    case actDirectory = "act.directory"
  }

  /// The ids of the requester's users and primary groups; one of them must match.
  package var users: [UInt32]?
  package var groups: [UInt32]?
  /// The local time of the request.
  package var times: [DayTime.Span]?
  package var weekdays: [DayTime.Weekday]?
  package var texts: [Fact: [TextPattern]] = [:]
  package var metadata: [String: [TextPattern]] = [:]
  package var arguments: ArgumentPattern?
  /// Directories, one of which must contain the act's object.
  package var under: [String]?
  /// The act's variables.
  package var environment: [String: [TextPattern]] = [:]

  package init() {}

  /// Whether the condition refers to the act.
  package var describesAct: Bool {
    describesTarget || texts[.verb] != nil || !environment.isEmpty || texts[.actDirectory] != nil
  }

  /// The number of patterns and directories.
  package var patternCount: Int { parts.reduce(0) { $0 + $1.patterns.count } + (under?.count ?? 0) }

  /// Whether the condition restricts the act's target.
  package var describesTarget: Bool { arguments != nil || under != nil || texts[.object] != nil }
}

extension RuleCondition {
  /// One part of a condition.
  package enum Part: Sendable, Hashable {
    /// - Parameter isAnywhere: Whether the users belong to the hosts that the condition names, instead of this one.
    case user([UInt32], isAnywhere: Bool)
    case group([UInt32], isAnywhere: Bool)
    case time([DayTime.Span])
    case weekday([DayTime.Weekday])
    case text(Fact, [TextPattern])
    case metadata(ExactText, [TextPattern])
    case arguments(ArgumentPattern)
    case under([ExactText])
    case variable(ExactText, [TextPattern])

    /// The name in the rules file.
    package var name: String {
      switch self {
      case .user: "user"
      case .group: "group"
      case .time: "time"
      case .weekday: "weekday"
      case .text(let fact, _): fact.rawValue
      case .metadata(let name, _): "metadata.\(name.text)"
      case .arguments: "act.argv"
      case .under: "act.under"
      case .variable(let name, _): "act.environment.\(name.text)"
      }
    }

    /// Evaluates a part without patterns.
    func match(_ facts: RuleFacts) -> Certainty {
      switch self {
      case .user(let numbers, let isAnywhere):
        facts.isHome || isAnywhere ? (numbers.contains(facts.requester.process.uid) ? .yes : .no) : .no
      case .group(let numbers, let isAnywhere):
        facts.isHome || isAnywhere ? (numbers.contains(facts.requester.process.gid) ? .yes : .no) : .no
      case .time(let spans): facts.time.map { time in spans.contains { $0.contains(time.minute) } ? .yes : .no } ?? .unknown
      case .weekday(let days): facts.time.map { days.contains($0.weekday) ? .yes : .no } ?? .unknown
      case .text, .metadata, .arguments, .under, .variable: .unknown
      }
    }
  }

  /// The parts, cheap and selective ones first.
  package var parts: [Part] {
    func text(_ facts: [Fact]) -> [Part] {
      facts.compactMap { fact in texts[fact].map { .text(fact, $0) } }
    }
    var parts: [Part] = [
      users.map { .user($0, isAnywhere: texts[.host] != nil) }, groups.map { .group($0, isAnywhere: texts[.host] != nil) },
      times.map(Part.time), weekdays.map(Part.weekday),
    ].compactMap(\.self)
    parts += text([.verb, .app, .surface, .kind, .priority, .severity, .sheet, .host])
    if let arguments { parts.append(.arguments(arguments)) }
    if let under { parts.append(.under(under.map { ExactText($0) })) }
    parts += metadata.sorted { $0.key < $1.key }.map { .metadata(ExactText($0), $1) }
    parts += environment.sorted { $0.key < $1.key }.map { .variable(ExactText($0), $1) }
    return parts + text([.actDirectory, .object, .executable, .unit, .directory, .ancestor, .title, .message])
  }

  /// Whether an act matches, apart from its verb, directory and variables. Used for the acts in a rule's examples.
  package func matchTarget(_ act: Act) -> Certainty {
    var parts = [Certainty.yes]
    if let patterns = texts[.object] { parts.append(act.object.map { patterns.match($0) } ?? .no) }
    if let arguments { parts.append(act.arguments.map { arguments.match($0) } ?? .no) }
    if let under { parts.append(act.isFile(below: under)) }
    return parts.min() ?? .yes
  }

  /// The variables of an act that the condition does not name, though a rule must name them to allow it.
  package func unnamedVariables(of act: Act) -> [String] { act.environment.keys.filter { environment[exactly: $0] == nil } }

  /// Returns why a rule with this condition may not allow an act; `nil` if it may. The condition must name each variable, its
  /// wildcards can neither choose another program nor continue a command, and the act must not change a steering file.
  package func obstacle(to act: Act, _ commands: CommandTable = .standard) -> CommandTable.Obstacle? {
    var open = OpenAct(act, commands)
    return obstacle(to: &open)
  }

  func obstacle(to open: inout OpenAct) -> CommandTable.Obstacle? {
    if let steering = open.steering { return steering }
    let variables = unnamedVariables(of: open.act)
    guard variables.isEmpty else {
      let names = variables.map { "act.environment.\($0)" }.joined(separator: ", ")
      return CommandTable.Obstacle(why: "has variables that the rule does not name: \(names)")
    }
    let hasOpenObject = under != nil || texts[.object]?.contains { !$0.isLiteral } ?? false
    guard hasOpenObject || arguments?.isExact == false else { return nil }
    guard let words = open.words else { return open.obstacleInText }
    // A condition on directories applies only to files.
    guard open.act.arguments != nil || words.count > 1 && under == nil else { return nil }
    return open.obstacleInCommand
  }
}

/// The properties of an act that rules with wildcards check, computed once for all rules.
struct OpenAct {
  let act: Act
  private let commands: CommandTable
  private(set) lazy var steering = act.steering.map {
    CommandTable.Obstacle(why: "acts on a file that steers a program: \($0)")
  }
  /// The words of the command.
  private(set) lazy var words = act.arguments ?? act.object.flatMap(PlainWords.of)
  /// The reason why the act's words may have another meaning in a different command that a rule matches; `nil` if there is
  /// none.
  private(set) lazy var obstacleInCommand: CommandTable.Obstacle? = {
    do throws(CommandTable.Obstacle) { _ = try commands.prefix(of: words ?? []) } catch { return error }
    return nil
  }()
  /// The reason why a shell may read more than the visible path in the text; `nil` if there is none.
  private(set) lazy var obstacleInText: CommandTable.Obstacle? = {
    guard let object = act.object else { return nil }
    let isPlain =
      Act.isPath(object, below: "/") && !act.hasShellSyntax && !object.contains { $0.isWhitespace || "$\\{~".contains($0) }
    return isPlain ? nil : CommandTable.Obstacle(why: "is text of a shell, of which the rule leaves a part open")
  }()

  init(_ act: Act, _ commands: CommandTable) { (self.act, self.commands) = (act, commands) }
}

/// The object of an act as a path, parsed once for all directories.
struct ObjectPath {
  private let object: String?
  /// Whether the path is absolute, without `.`, `..` and empty components.
  private let isClean: Bool
  private let isDoubtful: Bool
  /// Whether the path is the entire act, and a shell cannot read another path in it.
  private let isAlone: Bool

  init(_ act: Act?) {
    object = act?.object
    isClean = object.map { Act.isPath($0, below: "/") } ?? false
    isDoubtful = act?.arguments == nil && object?.pathDoubts.isEmpty == false
    isAlone = act?.arguments == nil && act?.hasShellSyntax == false
  }

  /// Whether the path is below one of the directories. A command may only look like a path.
  func isBelow(_ directories: some Sequence<String>) -> Certainty {
    guard let object else { return .no }
    if isDoubtful { return .unknown }
    if isClean, directories.contains(where: { $0 == "/" || object.begins(with: $0 + "/") }) {
      return isAlone ? .yes : .unknown
    }
    // A path with `.` and `..` components may lead there.
    return !object.begins(with: "/") || isClean ? .no : .unknown
  }
}

/// The facts about a request that rules compare.
package struct RuleFacts: Sendable {
  /// The texts of a request for one subject.
  struct Values: Sendable {
    let texts: [RuleText]
    /// Whether all texts are known; false if some may be unreadable.
    let isComplete: Bool
    /// Whether the request lacks the subject, and does not even have an empty list.
    let isMissing: Bool
    /// The pieces of patterns found in the texts; `nil` if the texts are too long to search.
    var found: PatternFilter.Found?

    init(_ texts: [String?]?, isComplete: Bool = true) {
      self.texts = (texts ?? []).compactMap { $0.map { RuleText($0) } }
      (self.isComplete, isMissing) = (isComplete, texts == nil)
    }
  }

  let request: PresentationRequest
  let requester: Presentation.Requester
  let act: Act?
  let time: DayTime?
  let isHome: Bool

  /// - Parameters:
  ///   - time: The local time of the request; `nil` if unknown.
  ///   - home: The host of the user ids in the rules.
  package init(
    _ request: PresentationRequest, by requester: Presentation.Requester, at time: DayTime? = nil, home: String
  ) {
    (self.request, self.requester, self.time, act) = (request, requester, time, request.act)
    isHome = requester.process.host == home
  }

  func values(of subject: CompiledRules.Subject) -> Values {
    switch subject {
    case .fact(let fact): fact.values(request, requester)
    case .metadata(let name): Values([request.options.metadata[exactly: name.text]])
    case .variable(let name): Values([act?.environment[exactly: name.text]])
    case .arguments: Values(act?.arguments)
    }
  }
}

extension RuleCondition.Fact {
  fileprivate func values(_ request: PresentationRequest, _ requester: Presentation.Requester) -> RuleFacts.Values {
    let process = requester.process
    return switch self {
    case .host: RuleFacts.Values([process.host])
    case .executable:
      RuleFacts.Values([process.trustedExecutable], isComplete: process.trustedExecutable != nil)
    case .ancestor:
      RuleFacts.Values((process.ancestry ?? []).dropFirst().map(\.trustedExecutable), isComplete: process.hasKnownAncestors)
    // The control group of a running process is always readable.
    case .unit: RuleFacts.Values([process.unit], isComplete: process.ancestry != nil)
    case .directory: RuleFacts.Values([process.directory], isComplete: process.directory != nil)
    case .app: RuleFacts.Values([requester.app])
    case .surface: RuleFacts.Values([request.surface])
    case .kind: RuleFacts.Values([request.kind.rawValue])
    case .priority: RuleFacts.Values([request.priority.rawValue])
    case .severity: RuleFacts.Values([request.severity.rawValue])
    case .title: RuleFacts.Values([request.title])
    case .message: RuleFacts.Values([request.message])
    case .sheet: RuleFacts.Values([request.sheet])
    case .verb: RuleFacts.Values([request.act?.verb])
    case .object: RuleFacts.Values([request.act?.object])
    case .actDirectory: RuleFacts.Values([request.act?.directory])
    }
  }
}

extension ProcessIdentity {
  /// The executable, unless it is in doubt.
  fileprivate var trustedExecutable: String? { executableDoubt == nil ? executable : nil }

  /// Whether the executables of all ancestors of the same user are known. A user's daemon cannot read other users' executables.
  /// The ancestry of every process includes init.
  fileprivate var hasKnownAncestors: Bool {
    guard let ancestry, ancestry.count < Ancestor.limit else { return false }
    return ancestry.dropFirst().allSatisfy { $0.trustedExecutable != nil || $0.uid != nil }
  }
}
