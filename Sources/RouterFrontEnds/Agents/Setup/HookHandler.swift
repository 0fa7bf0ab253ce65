import Router
import RouterCommandLine

extension HookSettings {
  /// One command that runs for an event.
  struct Handler: Sendable, Hashable {
    let event: String
    let command: String
    /// The timeout in seconds, if the settings give one.
    let timeout: Int?

    var isRouters: Bool { command.contains("routerctl") && command.contains(" agent hook") }
  }
}

extension HookSettings.Handler {
  /// The words of the command line, split as a shell splits the commands that ``HookInstallation`` writes.
  private var words: [String] {
    var (words, word, isQuoted) = ([String](), "", false)
    for character in command {
      if character == "'" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        words.append(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    return words + [word]
  }

  var program: String { words.first ?? "" }

  /// The prompt's timeout.
  var promptTimeout: Duration {
    guard let index = words.firstIndex(of: "--timeout"), index + 1 < words.count,
      let argument = DurationArgument(argument: words[index + 1])
    else { return AgentHook.defaultTimeout }
    return argument.duration
  }
}
