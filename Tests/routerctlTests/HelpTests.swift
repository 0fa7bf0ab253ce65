import ArgumentParser
import Router
import Testing

@testable import routerctl

struct HelpTests {
  static let commands: [any ParsableCommand.Type] =
    [Routerctl.self] + Routerctl.configuration.groupedSubcommands.flatMap(\.subcommands)

  @Test(arguments: commands.indices)
  func `gives examples in every command's help that parse`(index: Int) throws {
    let command = Self.commands[index]
    let help = command.configuration.discussion
    let lines = help.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("routerctl ") }
    #expect(help.contains("EXAMPLES"))
    #expect(!lines.isEmpty)
    for line in lines {
      let words = shellWords(String(line))
      #expect(throws: Never.self, "\(line)") { try Routerctl.parseAsRoot(Array(words.dropFirst())) }
    }
  }

  /// Without it, each start looks up the type's conformances (Docs/Decisions/start-of-routerctl.md).
  @Test func `every command spells out its name`() {
    func check(_ command: any ParsableCommand.Type) {
      #expect(command.configuration.commandName != nil, "\(command)")
      for command in command.configuration.subcommands { check(command) }
    }
    for command in Self.commands { check(command) }
  }

  @Test(arguments: [40, 60, 80, 120, 200])
  func `help fits every width, and examples stay whole`(columns: Int) throws {
    for command in Self.commands {
      let help = Routerctl.helpMessage(for: command, columns: 1_000_000)
      let lines = HelpText(help).lines(columns: columns)
      let examples = Self.examples(of: command)
      #expect(!examples.isEmpty && examples.allSatisfy(lines.contains), "\(command)")
      for line in lines where !examples.contains(line) {
        // A word alone may be longer.
        let words = line.split(separator: " ")
        #expect(line.columns <= min(columns, 100) || words.count == 1, "\(command): \(line)")
      }
      #expect(HelpText(help).lines(columns: 80).joined(separator: " ").contains("Show help information."))
    }
  }

  @Test func `help hangs below its columns, and remarks in examples are comments`() {
    let lines = HelpText(
      """
      OVERVIEW: Ask.

      One paragraph in
      two lines.

      EXAMPLES
        routerctl  x    # y

      OPTIONS:
        --over <id>             Stack the prompt on this presentation of yours, if it is open.
        --idempotency-key <key-of-the-request>
                                Ask at most once per key.
      """
    ).lines(columns: 60)
    #expect(
      lines == [
        "OVERVIEW: Ask.", "", "One paragraph in two lines.", "", "EXAMPLES", "  routerctl  x    # y", "", "OPTIONS:",
        "  --over <id>             Stack the prompt on this",
        "                          presentation of yours, if it is",
        "                          open.",
        "  --idempotency-key <key-of-the-request>", "      Ask at most once per key.",
      ])
    for line in Self.commands.flatMap(Self.examples(of:)) {
      let code = line.drop { $0 == " " }.prefix { $0 != "#" }
      let isAligned = line.contains("#") || !code.contains("  ")
      #expect(isAligned, "\(line)")
    }
  }

  private static func examples(of command: any ParsableCommand.Type) -> [String] {
    let lines = command.configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return Array(lines.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty })
  }

  @Test func `groups the commands under short titles`() throws {
    let lines = HelpText(Routerctl.helpMessage(columns: 1_000_000)).lines(columns: 80)
    #expect(lines.contains("ASKING:") && lines.contains("FRONT ENDS:"))
    #expect(!lines.contains { $0.hasSuffix(" SUBCOMMANDS:") })
  }

  @Test func `lists every reason in the help of the log's filters`() {
    // Spelled out in the help, because building it at run time would take longer than most queries.
    let help = LogList.helpMessage(columns: 10_000)
    #expect(help.contains("expiry phase: \(AuditQuery.knownReasons.joined(separator: ", "))."))
  }

  @Test func `prints the version`() {
    let error = #expect(throws: (any Error).self) { try Routerctl.parseAsRoot(["--version"]) }
    #expect(error.map { Routerctl.fullMessage(for: $0) } == Routerctl.configuration.version)
  }

  /// Returns the words of the first command of a shell line, unquoted, up to an operator or two spaces before a remark.
  private func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var spaces = 0
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        spaces += 1
        if let complete = word { words.append(complete) }
        word = nil
        if spaces == 2 { return words }
        continue
      } else if "|&;<>".contains(character), word == nil {
        return words
      } else {
        word = (word ?? "") + String(character)
      }
      spaces = 0
    }
    return words + (word.map { [$0] } ?? [])
  }
}
