import Router

extension LogFilters {
  static let plainNames = [
    "--since", "--until", "--app", "--outcome", "--reason", "--kind", "--surface", "--sheet", "--uid", "--search",
  ]

  init(_ words: PlainWords) throws {
    self.init()
    since = try words.text("--since").map(Self.moment)
    until = try words.text("--until").map(Self.moment)
    app = words.texts("--app")
    outcome = try words.texts("--outcome").map(Self.choices)
    reason = try words.texts("--reason").map(Self.reasons(in:))
    kind = try words.texts("--kind").map(Self.choices)
    surface = words.texts("--surface")
    sheet = words.texts("--sheet")
    uid = try words.texts("--uid").map(Self.uid)
    search = try words.text("--search").map(Self.search)
    try validate()
  }
}

extension LogLocation {
  static let plainNames = ["--database", "--socket"]

  init(_ words: PlainWords) throws {
    self.init()
    database = try words.text("--database")
    socket = try words.text("--socket")
  }
}

extension LogList: PlainCommand {
  static var plainNames: (options: [String], flags: [String]) {
    (LogFilters.plainNames + ["-n", "--lines"] + LogLocation.plainNames, ["-f", "--follow", "--events", "--json", "--csv"])
  }

  init(_ words: PlainWords) throws {
    self.init()
    // Both at once is for ArgumentParser to refuse.
    guard words.arguments.isEmpty, !(words.flag("--json") && words.flag("--csv")) else { throw PlainWords.NotPlain() }
    filters = try LogFilters(words)
    lines = try words.value("-n", "--lines")
    follow = words.flag("-f") || words.flag("--follow")
    events = words.flag("--events")
    format = words.flag("--json") ? .json : words.flag("--csv") ? .csv : nil
    location = try LogLocation(words)
    try validate()
  }
}

extension LogStats: PlainCommand {
  static var plainNames: (options: [String], flags: [String]) {
    (LogFilters.plainNames + ["--by"] + LogLocation.plainNames, ["--json"])
  }

  init(_ words: PlainWords) throws {
    self.init()
    guard words.arguments.isEmpty else { throw PlainWords.NotPlain() }
    by = try words.value("--by")
    filters = try LogFilters(words)
    output = OutputOptions(words)
    location = try LogLocation(words)
  }
}
