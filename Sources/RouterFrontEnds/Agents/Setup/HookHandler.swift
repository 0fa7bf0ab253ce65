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
  /// The words of the command line, split like a shell splits the commands that ``HookInstallation`` writes.
  private var words: [String] {
    var (words, word, isQuoted) = ([String](), String.UnicodeScalarView(), false)
    var rest = command.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "'" {
        isQuoted.toggle()
      } else if scalar == "\\", !isQuoted, let escaped = rest.popFirst() {
        word.append(escaped)
      } else if scalar == " ", !isQuoted {
        words.append(String(word))
        word = String.UnicodeScalarView()
      } else {
        word.append(scalar)
      }
    }
    return words + [String(word)]
  }

  var program: String { words.first ?? "" }

  /// The maximum time that its prompt may stay open.
  var promptTimeout: Duration { duration(of: "--limit") ?? duration(of: "--timeout") ?? AgentHook.defaultTimeout }

  private func duration(of option: String) -> Duration? {
    guard let index = words.firstIndex(of: option), index + 1 < words.count else { return nil }
    return DurationArgument(argument: words[index + 1])?.duration
  }
}
