import Router

extension AskOptions {
  static let plainNames = (
    options: [
      "--surface", "--app", "--priority", "--policy", "--timeout", "--over", "--idempotency-key", "--metadata", "--socket",
      "--patience",
    ],
    flags: ["--sensitive", "--detach", "--json"]
  )

  init(_ words: PlainWords) throws {
    self.init()
    surface = try words.text("--surface") ?? Self.defaultSurface
    app = try words.text("--app")
    priority = try words.value("--priority") ?? .normal
    policy = try words.value("--policy") ?? .enqueue
    timeout = try words.value("--timeout")
    sensitive = words.flag("--sensitive")
    over = try words.value("--over")
    detach = words.flag("--detach")
    idempotencyKey = try words.text("--idempotency-key")
    metadata = try words.values("--metadata")
    output = OutputOptions(words)
    daemon = try DaemonOptions(words)
  }
}

extension OutputOptions {
  init(_ words: PlainWords) {
    self.init()
    json = words.flag("--json")
  }
}

extension DaemonOptions {
  init(_ words: PlainWords) throws {
    self.init()
    socket = try words.text("--socket")
    patience = try words.value("--patience")
  }
}

extension Confirm: PlainCommand {
  static var plainNames: (options: [String], flags: [String]) {
    let common = AskOptions.plainNames
    return (common.options + ["--message", "--yes", "--no"], common.flags)
  }

  init(_ words: PlainWords) throws {
    self.init()
    title = try words.argument()
    message = try words.text("--message")
    yes = try words.text("--yes") ?? Self.defaultYes
    no = try words.text("--no") ?? Self.defaultNo
    options = try AskOptions(words)
  }
}

extension Choose: PlainCommand {
  static var plainNames: (options: [String], flags: [String]) {
    let common = AskOptions.plainNames
    return (common.options + ["--message", "--cancel"], common.flags)
  }

  init(_ words: PlainWords) throws {
    self.init()
    guard let title = words.arguments.first, words.arguments.count > 1 else { throw PlainWords.NotPlain() }
    self.title = title
    choice = Array(words.arguments.dropFirst())
    message = try words.text("--message")
    cancel = try words.text("--cancel")
    options = try AskOptions(words)
  }
}
