import ArgumentParser
import Glibc
import Router

/// `sudo` for the commands of agents: the real sudo, which asks through askpass where it has no terminal.
struct Sudo: FrontEndCommand {
  static let configuration = CommandConfiguration(
    commandName: "sudo",
    abstract: "Run the real sudo, asking through Router.",
    discussion: """
      Adds -A and -k if there is no terminal, unless the options say how to ask (-A, -S or -n). With -k, sudo does not remember
      that the password was right, so it asks for each command. 'routerctl agent install' makes agents find a link to this
      command in front of the real sudo.

      EXAMPLES
        routerctl sudo apt-get install jq
      """)
  static let links = ["sudo"]
  static let isForAgents = true

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  static func run(_ arguments: [String]) async -> Int32 {
    let asks = (0..<3).allSatisfy { isatty($0) == 0 } && SudoOptions(arguments).asksForPassword
    setenv("SUDO_ASKPASS", AgentEnvironment.own.askpass, 0)
    RealProgram.execute("sudo", (asks ? ["-A", "-k"] : []) + arguments)
    FrontEnd.warn("sudo", "command not found")
    return 127
  }
}

/// The options of a command line of sudo (sudo(8)) up to the command, also between variables.
struct SudoOptions: Sendable {
  /// Whether sudo would ask for a password on the terminal; `false` with an option that is not in sudo(8).
  private(set) var asksForPassword = true

  private static let lettersWithValue = Set("CDghpRrTtUu")
  private static let otherLetters = Set("BbEeHiKklNPsVv")
  private static let namesWithValue = [
    "close-from", "chdir", "group", "host", "prompt", "chroot", "role", "command-timeout", "type", "other-user", "user",
  ]
  private static let otherNames = [
    "background", "bell", "edit", "help", "list", "login", "no-update", "preserve-env", "preserve-groups", "remove-timestamp",
    "reset-timestamp", "set-home", "shell", "validate", "version",
  ]
  private static let namesOfAsking = ["askpass", "stdin", "non-interactive"]

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst(), !word.isSame(as: "--") {
      guard word.begins(with: "-") else {
        // A variable; otherwise the command.
        if word.utf8.contains(UInt8(ascii: "=")), !word.begins(with: "/") { continue }
        break
      }
      if let name = word[...].rest(after: "--")?.prefix(while: { $0 != "=" }) {
        // A name may be abbreviated.
        func fits(_ names: [String]) -> Bool { names.contains { $0.begins(with: name) } }
        let hasValue = fits(Self.namesWithValue)
        if fits(Self.namesOfAsking) || !hasValue && !fits(Self.otherNames) { asksForPassword = false }
        if hasValue, !word.contains("=") { rest.removeFirst(min(1, rest.count)) }
        continue
      }
      for (index, letter) in word.enumerated().dropFirst() {
        guard Self.lettersWithValue.contains(letter) else {
          if !Self.otherLetters.contains(letter) { asksForPassword = false }
          continue
        }
        // -h alone prints the help.
        if index == word.count - 1 { rest.removeFirst(min(1, rest.count)) }
        break
      }
    }
  }
}
