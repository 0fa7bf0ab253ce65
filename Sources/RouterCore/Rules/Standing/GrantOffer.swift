/// The options for remembering an answer: those of the request that the settings and the kernel's facts about the requester
/// allow. Recorded with the request. A class, because events and presentations are copied often.
package final class GrantOffer: Sendable, Hashable {
  /// A width, with the number of arguments in a prefix.
  package struct Width: Sendable, Hashable {
    package let match: PresentationRequest.Remember.Match
    package let count: Int?

    package init(_ match: PresentationRequest.Remember.Match, count: Int? = nil) { (self.match, self.count) = (match, count) }
  }

  package let buttons: [String]
  package let widths: [Width]
  package let periods: [PresentationRequest.Remember.Period]
  /// The process that a session ends with: the agent, the requester's shell, or the requesting program.
  package let anchor: ProcessIdentity.Ancestor?
  /// The boot in which ``anchor`` started.
  package let boot: String?
  /// A remembered answer that does not cover the request, although it covers similar ones.
  package let uncovered: Uncovered?
  /// The program that the act names, if grants depend on it.
  package let program: ProgramFile?
  /// The answer that a person keeps giving to equal acts, if always is offered.
  package let habit: Habit?

  /// An answer to equal acts within a week.
  package struct Habit: Sendable, Hashable {
    /// The label of the button.
    package let button: String
    package let count: Int
  }

  /// A remembered answer that does not cover a request, and the reason.
  package struct Uncovered: Sendable, Hashable {
    package let grant: GrantID
    /// The coverage in words.
    package let coverage: String
    package let why: String
  }

  /// Creates an offer; `nil` if no answer to the request may be remembered.
  init?(_ ask: PresentationAsk, _ policy: GrantPolicy) {
    let (request, requester) = (ask.request, ask.requester.process)
    guard policy.longest > .zero, let remember = request.remember, let act = request.act, act.steering == nil,
      request.isRememberable
    else { return nil }
    (uncovered, habit, program) = (nil, nil, policy.checksPrograms ? ask.program : nil)
    let asked = Set(remember.buttons ?? request.buttons.map(\.id))
    buttons = request.buttons.filter { asked.contains($0.id) && $0.role != .destructive }.map(\.id)
    widths = remember.matches.compactMap { act.width($0, policy) }
    let keeper = request.agent.flatMap(requester.ancestor) ?? requester.sessionProcess
    (anchor, boot) = (keeper ?? requester.caller, ask.boot)
    let (hasBoot, longest) = (ask.boot != nil, Int(policy.longest.components.seconds))
    periods = remember.periods.filter { [anchor] period in
      switch period {
      case .session: anchor != nil && hasBoot
      case .seconds(let seconds): seconds <= longest && keeper?.trustedExecutable != nil
      case .always:
        policy.always && act.directory != nil && act.cautions.isEmpty
          && (!policy.checksPrograms || ask.program != nil || act.isFile(below: ["/"]) == .yes)
      }
    }
    if buttons.isEmpty || widths.isEmpty || periods.isEmpty { return nil }
  }

  private init(
    buttons: [String], widths: [Width], periods: [PresentationRequest.Remember.Period], anchor: ProcessIdentity.Ancestor?,
    boot: String?, uncovered: Uncovered?, habit: Habit?, program: ProgramFile?
  ) {
    (self.buttons, self.widths, self.periods) = (buttons, widths, periods)
    (self.anchor, self.boot, self.uncovered, self.habit, self.program) = (anchor, boot, uncovered, habit, program)
  }

  /// Returns a copy for a request that a remembered answer does not cover, or with a habit, if it matters.
  func with(uncovered: Uncovered? = nil, habit: Habit? = nil) -> GrantOffer {
    let habit = periods.contains(.always) ? habit : nil
    if uncovered == nil, habit == nil { return self }
    return GrantOffer(
      buttons: buttons, widths: widths, periods: periods, anchor: anchor, boot: boot, uncovered: uncovered ?? self.uncovered,
      habit: habit, program: program)
  }

  package static func == (left: GrantOffer, right: GrantOffer) -> Bool {
    left === right
      || (left.buttons, left.widths, left.periods, left.anchor, left.boot) == (
        right.buttons, right.widths, right.periods, right.anchor, right.boot
      ) && (left.uncovered, left.habit, left.program) == (right.uncovered, right.habit, right.program)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(buttons)
    hasher.combine(widths)
    hasher.combine(periods)
    hasher.combine(anchor)
    hasher.combine(boot)
  }
}

extension PresentationRequest {
  /// Whether the request may be decided without a person. Secrets, forms, flows and critical prompts always need a person.
  var isRememberable: Bool {
    kind.hasButtons && !options.sensitive && options.severity != .critical && options.priority != .critical
      && options.over == nil && require == nil
  }
}

extension ProcessIdentity {
  /// The nearest ancestor that is a person's shell or a terminal multiplexer.
  fileprivate var sessionProcess: Ancestor? { shell ?? ancestry?.dropFirst().first(where: \.isMultiplexer) }
}

extension ProcessIdentity.Ancestor {
  fileprivate var isMultiplexer: Bool { ["tmux", "screen", "zellij"].contains(name) }

  /// The executable, unless it is in doubt: in another mount namespace, any program can have any path.
  var trustedExecutable: String? { executableDoubt == nil ? executable : nil }
}

extension Act {
  /// Returns a width with the number of compared arguments; `nil` if the act does not allow it.
  fileprivate func width(_ match: PresentationRequest.Remember.Match, _ policy: GrantPolicy) -> GrantOffer.Width? {
    switch match {
    case .exact: return GrantOffer.Width(.exact)
    // An answer to an act with cautions does not apply to other acts.
    case _ where !cautions.isEmpty: return nil
    case .prefix: return (try? prefix(in: policy.commands)).map { GrantOffer.Width(.prefix, count: $0) }
    case .under:
      guard let directory, isFile(below: [directory]) == .yes else { return nil }
      return GrantOffer.Width(.under)
    case .verb: return policy.verbs.contains(verb) && directory != nil ? GrantOffer.Width(.verb) : nil
    }
  }

  /// Whether the act affects a file below one of the directories. A command may only look like a path.
  func isFile(below directories: [String]) -> Certainty { ObjectPath(self).isBelow(directories) }

  /// Whether a shell might parse the object as another command or file.
  var hasShellSyntax: Bool {
    guard let object else { return false }
    return object.utf8.contains(where: ";|&<>`\n\r".utf8.contains)
      || zip(object.utf8, object.utf8.dropFirst()).contains { $0 == (UInt8(ascii: "$"), UInt8(ascii: "(")) }
  }

  /// Whether an absolute path is below a directory, by components.
  static func isPath(_ path: String, below directory: String) -> Bool {
    // Splits bytes, because a combining character after a slash would merge with it.
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    guard path.begins(with: "/"), !path.utf8.contains(0),
      !parts.contains(where: { $0.count <= 2 && $0.allSatisfy { $0 == UInt8(ascii: ".") } })
    else { return false }
    return directory == "/" ? path != "/" : path.begins(with: directory + "/")
  }
}

extension String {
  /// Reasons why a program may resolve the path differently, such as "begins with ~".
  package var pathDoubts: [String] {
    let (first, last) = (unicodeScalars.first, unicodeScalars.last)
    let hasSpace = [first, last].contains { $0?.properties.isWhitespace == true || $0 == "\u{FEFF}" }
    return (first == "~" ? ["begins with ~"] : []) + (hasSpace ? ["begins or ends with a space"] : [])
  }
}

extension GrantOffer: Record {
  package static var schemaName: String { "RememberOffer" }
  package static var ignoresUnknown: Bool { true }

  package convenience init(_ f: inout Fields<GrantOffer>) throws(JSONError) {
    self.init(
      buttons: try f("buttons", ifAbsent: [], \.buttons, "", ["type": "array", "items": .schema("Name")]),
      widths: try f("match", ifAbsent: [], \.widths),
      periods: try f("for", ifAbsent: [], \.periods, "A shorter time than one of these can be chosen too."),
      anchor: try f(
        "anchor", \.anchor,
        "The agent; without an agent, the shell or terminal multiplexer that the request comes from; without either, the requesting program. A session ends with it; a time is bound to its executable."
      ), boot: try f("boot", \.boot, "Identifies the boot in which the anchor started."),
      uncovered: try f("uncovered", \.uncovered, "A remembered answer that covers similar requests, but not this one."),
      habit: try f("habit", \.habit, "An answer that equal acts got three times or more within a week."),
      program: try f(
        "program", \.program, "The file of the program that the act names, if the setting grants.checksPrograms is on."))
  }
}

extension GrantOffer.Habit: Record {
  package static var schemaName: String { "RememberHabit" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    button = try f("button", \.button, "The label of the button.", .schema("Label"))
    count = try f("count", \.count)
  }
}

extension GrantOffer.Uncovered: Record {
  package static var about: String {
    "A remembered answer that covers similar requests, but not this one."
  }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    grant = try f("grant", \.grant, "Its id.")
    coverage = try f("coverage", \.coverage, "The coverage in words.")
    why = try f("why", \.why, "The reason, worded to follow \"it\".")
  }
}

extension GrantOffer.Width: Record {
  package static var schemaName: String { "RememberWidth" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    match = try f("match", \.match)
    count = try f("count", \.count, "The number of arguments of a prefix.", ["type": "integer", "minimum": 1])
  }
}
