extension PresentationRequest {
  /// The answers that Router may remember for requests with an equal or similar ``Act``.
  ///
  /// The daemon offers the options that its settings and the facts about the requester allow. An answer is never remembered for
  /// a sensitive or critical request, or for a destructive button.
  public struct Remember: Sendable, Hashable, Codable {
    /// The later acts that the answer applies to.
    public enum Match: String, Sendable, Hashable, Codable, CaseIterable {
      /// Equal acts.
      case exact
      /// Commands with the same program and subcommand, in the same directory and environment, that are known to be read-only.
      case prefix
      /// Acts with the same verb on files in the same directory or below.
      case under
      /// All acts with the same verb in the same directory, if the setting `grants.verbs` lists the verb.
      case verb
    }

    /// The time for which an answer is remembered.
    public enum Period: Sendable, Hashable, Codable {
      /// Until the agent ends; without an agent, the requester's shell; without a shell, the requesting program.
      case session
      /// A time of 60 s or more.
      case seconds(Int)
      /// Until it is revoked, or is not used for the time of the setting `grants.unusedDays`. Outlives sessions and reboots. Only
      /// for an act in a directory whose prompt shows no caution about it.
      case always
    }

    /// The ids of the buttons (default: every button with a rememberable answer).
    public var buttons: [String]?
    public var matches: [Match]
    public var periods: [Period]

    public init(
      buttons: [String]? = nil, matches: [Match] = [.exact],
      periods: [Period] = [.session, .seconds(900), .seconds(3600), .always]
    ) {
      (self.buttons, self.matches, self.periods) = (buttons, matches, periods)
    }
  }
}

extension PresentationRequest.Remember.Period: CustomStringConvertible, SampledPart {
  package static var schema: JSONValue { .schema("RememberPeriod") }
  package static var definition: JSONValue {
    [
      "description":
        "session: until the agent ends; without an agent, the shell or terminal multiplexer that the request comes from; without either, the requesting program. always: until it is revoked or unused for long, for an act in a directory without cautions about it. Or a number of seconds, for requests of an agent or from a shell or terminal multiplexer.",
      "anyOf": [["enum": ["session", "always"]], ["type": "integer", "minimum": 60, "maximum": 31_536_000]],
    ]
  }
  package static var sample: Self { .session }

  /// `session`, `always`, or the number of seconds.
  public var description: String {
    switch self {
    case .session: "session"
    case .seconds(let seconds): String(seconds)
    case .always: "always"
    }
  }

  /// Creates a period with a name: `session` or `always`.
  package init?(named name: String) {
    guard let named = [Self.session, .always].first(where: { $0.description == name }) else { return nil }
    self = named
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    if let named = json.string.flatMap(Self.init(named:)) {
      self = named
    } else if let seconds = json.number?.integer, (60...31_536_000).contains(seconds) {
      self = .seconds(seconds)
    } else {
      throw JSONError("must be \"session\", \"always\" or 60 to 31536000 seconds", at: pointer)
    }
  }

  package func write(to writer: inout JSONWriter) {
    if case .seconds(let seconds) = self { writer.add(part: seconds) } else { writer.add(part: description) }
  }
}

extension PresentationRequest.Remember: Record {
  package static var about: String {
    "Which answers a person may have remembered, for an alert or a confirmation dialog with an act. The daemon offers the part that its settings and the kernel's facts about the requester allow. It offers nothing if the request is sensitive, stacked (over) or critical, by severity or priority, and never a button with the role destructive."
  }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let standard = Self()
    buttons = try f("buttons", \.buttons, "Ids of buttons (default: all).", ["type": "array", "items": .schema("Name")])
    matches = try f(
      "match", ifAbsent: standard.matches, \.matches, "",
      ["type": "array", "maxItems": 4, "uniqueItems": true, "items": .schema("RememberMatch")])
    periods = try f(
      "for", ifAbsent: standard.periods, \.periods, "Times above grants.longestSeconds are left out.",
      ["type": "array", "maxItems": 8, "uniqueItems": true, "items": .schema("RememberPeriod")])
  }

  /// Checks the options against the rest of the request.
  func check(with request: PresentationRequest, at pointer: String) throws(JSONError) {
    if !request.kind.hasButtons { throw JSONError("is not supported for kind \(request.kind.rawValue)", at: pointer) }
    if request.act == nil { throw JSONError("needs an act, which says what is remembered", at: pointer) }
    guard matches.count <= 4, Set(matches).count == matches.count else {
      throw JSONError("must have each value once", at: pointer + "/match")
    }
    guard periods.count <= 8, Set(periods).count == periods.count else {
      throw JSONError("must have at most 8 values, each once", at: pointer + "/for")
    }
    for (index, id) in (buttons ?? []).enumerated() where !request.buttons.contains(where: { $0.id.isSame(as: id) }) {
      throw JSONError("is not the id of a button", at: "\(pointer)/buttons/\(index)")
    }
  }
}
