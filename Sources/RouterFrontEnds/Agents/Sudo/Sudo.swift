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

/// The options of a command line of sudo (sudo(8)), up to the command.
struct SudoOptions: Sendable {
  /// Whether sudo would ask for a password on the terminal.
  private(set) var asksForPassword = true

  private static let lettersWithValue = Set("CDgghpRrTtUu")
  private static let lettersOfAsking = Set("ASn")
  private static let namesWithValue: Set = [
    "close-from", "chdir", "group", "host", "prompt", "chroot", "role", "command-timeout", "type", "other-user", "user",
  ]
  private static let namesOfAsking: Set = ["askpass", "stdin", "non-interactive"]

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst(), word.begins(with: "-"), !word.isSame(as: "--") {
      if let name = word[...].rest(after: "--") {
        if Self.namesOfAsking.contains(String(name)) { asksForPassword = false }
        if Self.namesWithValue.contains(String(name)) { rest.removeFirst(min(1, rest.count)) }
        continue
      }
      for (index, letter) in word.enumerated().dropFirst() {
        if Self.lettersOfAsking.contains(letter) { asksForPassword = false }
        guard Self.lettersWithValue.contains(letter) else { continue }
        // -h alone prints the help.
        if index == word.count - 1 { rest.removeFirst(min(1, rest.count)) }
        break
      }
    }
  }
}
