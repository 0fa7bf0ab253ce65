import ArgumentParser
import Router

struct LogFilters: ParsableArguments {
  @Option(help: ArgumentHelp("At or after this time: \(LogMoment.help).", valueName: "time"), transform: Self.moment)
  var since: Timestamp?

  @Option(help: ArgumentHelp("Before this time.", valueName: "time"), transform: Self.moment)
  var until: Timestamp?

  @Option(help: ArgumentHelp("Filter by app.", valueName: "name,…"))
  var app: [String] = []

  @Option(
    help: ArgumentHelp("Filter by outcome: answered, dismissed, cancelled, expired, failed.", valueName: "outcome,…"),
    completion: .list(PresentationOutcome.Name.allCases.map(\.rawValue)), transform: Self.outcomes)
  var outcome: [[PresentationOutcome.Name]] = []

  @Option(
    help: ArgumentHelp(
      "Filter by answer: yes, no or other. Yes and no need a cancel button and one other button.",
      valueName: "answer,…"),
    completion: .list(AnswerKind.allCases.map(\.rawValue)), transform: Self.choices)
  var answer: [[AnswerKind]] = []

  @Option(
    help: ArgumentHelp("Filter by who decided: person, grant for a remembered answer, or rule.", valueName: "decider,…"),
    completion: .list(AuditQuery.Decider.allCases.map(\.rawValue)), transform: Self.choices)
  var decidedBy: [[AuditQuery.Decider]] = []

  @Flag(help: "Only approved acts without a reported result.")
  var unreported = false

  @Option(
    help: ArgumentHelp(
      """
      Filter by cancellation reason or expiry phase: requester, requesterGone, superseded, busy, parentEnded, noPresenter, off, \
      admin, refused, interrupted, queued, presented.
      """,
      valueName: "reason,…"),
    completion: .list(AuditQuery.knownReasons), transform: Self.reasons(in:))
  var reason: [[String]] = []

  @Option(
    help: ArgumentHelp("Filter by kind: alert, confirmationDialog, sheet or fullScreenCover.", valueName: "kind,…"),
    completion: .list(PresentationKind.allCases.map(\.rawValue)), transform: Self.choices)
  var kind: [[PresentationKind]] = []

  @Option(help: ArgumentHelp("Filter by surface.", valueName: "name,…"))
  var surface: [String] = []

  @Option(help: ArgumentHelp("Filter by sheet name.", valueName: "name,…"))
  var sheet: [String] = []

  @Option(
    name: [.customLong("user"), .customLong("uid")],
    help: ArgumentHelp("Filter by the requester's user.", valueName: "uid or name"), transform: Self.uid)
  var uid: [UInt32] = []

  @Option(
    help: ArgumentHelp(
      "Search title, message, sheet name and answer: begin* for a prefix, \"two words\" for a phrase, *art for any part.",
      valueName: "words"),
    transform: Self.search)
  var search: String?

  var query: AuditQuery {
    var query = AuditQuery()
    query.since = since
    query.until = until
    query.apps = app.flatMap(Self.parts)
    query.uids = uid
    query.surfaces = surface.flatMap(Self.parts)
    query.kinds = kind.flatMap(\.self)
    query.sheets = sheet.flatMap(Self.parts)
    query.outcomes = outcome.flatMap(\.self)
    query.reasons = reason.flatMap(\.self)
    query.answers = answer.flatMap(\.self)
    query.deciders = decidedBy.flatMap(\.self)
    query.isUnreported = unreported
    query.search = search
    return query
  }

  func validate() throws {
    if let since, let until, since >= until { throw ValidationError("--since must be before --until.") }
  }

  /// The reference time for relative times on a command line.
  private static let now = PresentationClock.system.wall()

  static func moment(_ text: String) throws -> Timestamp {
    guard let moment = LogMoment.parse(text, now: now, zone: .system) else {
      throw ValidationError("Expected one of: \(LogMoment.help).")
    }
    return moment
  }

  static func choices<Choice: RawRepresentable<String> & CaseIterable>(_ text: String) throws -> [Choice] {
    try parts(text).map { part in
      guard let choice = Choice(rawValue: part) else {
        throw ValidationError("Expected one of: \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      return choice
    }
  }

  static func outcomes(_ text: String) throws -> [PresentationOutcome.Name] {
    do { return try choices(text) } catch let error as ValidationError {
      // People may pass an answer as an outcome.
      throw ValidationError("\(error.message) For the answer, pass --answer yes or --answer no.")
    }
  }

  static func reasons(in text: String) throws -> [String] {
    let parts = parts(text)
    guard parts.allSatisfy(AuditQuery.knownReasons.contains) else {
      throw ValidationError("Expected one of: \(AuditQuery.knownReasons.joined(separator: ", ")).")
    }
    return parts
  }

  static func uid(_ text: String) throws -> UInt32 {
    guard let uid = try? AccountNames.user(text) else {
      throw ValidationError("No user on this machine has this name. Pass the uid.")
    }
    return uid
  }

  static func search(_ text: String) throws -> String {
    var query = AuditQuery()
    query.search = text
    do {
      try query.checkSearch()
    } catch {
      throw ValidationError("\(error.message).")
    }
    return text
  }

  /// Splits a comma-separated list; names cannot contain commas.
  private static func parts(_ text: String) -> [String] {
    text.split(at: ",").map(String.init)
  }
}
