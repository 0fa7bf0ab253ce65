import ArgumentParser
import Router
import RouterFrontEnds

/// The correction of a command line that ArgumentParser refused.
struct UsageHint {
  /// A command, as ArgumentParser describes it.
  private struct Command {
    let path: [String]
    let options: [String]
    /// The value names of its arguments.
    let arguments: [String]
    let subcommands: [Command]
    let defaultSubcommand: String?

    init(_ json: JSONValue, below parents: [String] = []) {
      let path = parents + [json["commandName"]?.string ?? ""]
      let arguments = json["arguments"]?.array ?? []
      self.path = path
      options = arguments.flatMap { $0["names"]?.array ?? [] }
        .compactMap { $0["kind"]?.string == "long" ? $0["name"]?.string.map { "--" + $0 } : nil }
      self.arguments = arguments.filter { $0["kind"]?.string == "positional" }.compactMap { $0["valueName"]?.string }
      subcommands = (json["subcommands"]?.array ?? []).map { Command($0, below: path) }
      defaultSubcommand = json["defaultSubcommand"]?.string
    }

    var name: String { path.last ?? "" }
    var line: String { path.joined(separator: " ") }
    var allOptions: [String] { options + (subcommands.first { $0.name == defaultSubcommand }?.options ?? []) }
    var descendants: [Command] { subcommands.flatMap { [$0] + $0.descendants } }

    subscript(name: String) -> Command? { subcommands.first { $0.name == name } }
  }

  /// Names that other programs have for an option here.
  private static let synonyms = ["uninstall": "undo", "tail": "follow", "watch": "follow", "limit": "lines"]

  private let root = Command((try? JSONValue(parsing: Routerctl._dumpHelp()))?["command"] ?? .null)

  /// Returns the complete error message with a suggestion; `nil` if there is none.
  static func message(for error: any Error, _ arguments: [String]) -> String? {
    let message = Routerctl.message(for: error)
    guard let better = UsageHint().correction(of: arguments, message) else { return nil }
    return Routerctl.fullMessage(for: error).replacing("Error: " + message, with: "Error: " + better)
  }

  private func correction(of arguments: [String], _ message: String) -> String? {
    var (command, parent, words) = (root, root, arguments[...])
    while let name = words.first, let next = command[name] {
      (parent, command) = (command, next)
      words.removeFirst()
    }
    if let word = words.first, !word.hasPrefix("-"), !command.subcommands.isEmpty {
      if let suggestion = self.command(word, of: command) { return Self.unknown("command", word, suggestion) }
      return command.defaultSubcommand == nil ? "Unknown command '\(word)'" : nil
    }
    guard let start = message.firstIndex(of: "'") else { return nil }
    let quoted = String(message[start...].dropFirst().prefix { $0 != "'" })
    if message.hasPrefix("Unknown option") {
      return option(quoted, of: command, parent, words).map { Self.unknown("option", quoted, $0) }
    }
    guard message.contains("nexpected argument") else { return nil }
    if let suggestion = self.command(quoted, of: command) { return Self.unknown("argument", quoted, suggestion) }
    guard command.arguments == ["title"] else { return nil }
    let question = words.prefix { !$0.hasPrefix("-") }
    let example = question.count > 1 ? question.joined(separator: " ").shellQuoted : "'Delete 3 files?'"
    return "Unexpected argument '\(quoted)'. Quote the question: \(command.line) \(example)"
  }

  private static func unknown(_ what: String, _ word: String, _ suggestion: String) -> String {
    "Unknown \(what) '\(word)'. Did you mean '\(suggestion)'?"
  }

  /// The command line that a word of a command stands for: a subcommand, a command elsewhere, or an option.
  private func command(_ word: String, of command: Command) -> String? {
    guard !command.subcommands.isEmpty else { return nil }
    if let found = command[word] ?? root.descendants.first(where: { $0.name == word }) { return found.line }
    if let option = Self.synonyms[word].map({ "--" + $0 }), command.allOptions.contains(option) {
      return "\(command.line) \(option)"
    }
    return command.subcommands.map(\.name).nearest(to: word).map { "\(command.line) \($0)" }
  }

  private func option(_ option: String, of command: Command, _ parent: Command, _ words: ArraySlice<String>) -> String? {
    let options = command.allOptions + ["--help", "--version"]
    let word = String(option.drop { $0 == "-" })
    // `-m` for `--message`.
    if word.count == 1 { return options.first { $0.hasPrefix("--" + word) } }
    // `--format csv` and `--format=csv` for `--csv`.
    let value = words.drop { $0 != option }.dropFirst().first ?? words.first { $0.hasPrefix(option + "=") }
    if let named = value.map({ "--" + $0.replacing(option + "=", with: "") }), options.contains(named) { return named }
    if let other = command[word] ?? (parent.path.count > 1 ? parent[word] : nil) { return other.line }
    if let synonym = Self.synonyms[word].map({ "--" + $0 }), options.contains(synonym) { return synonym }
    return options.nearest(to: option)
  }
}
