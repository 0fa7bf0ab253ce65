/// The reason why a dialog program's command line cannot become a request. The real program runs instead, if it exists.
enum DialogFailure: Error, Hashable {
  /// The command line is invalid: the real program's error message and exit status.
  case usage(String, Int32 = 255)
  /// Only the real program can show this.
  case cannotShow(String)
}

/// Long options as GLib (zenity) and popt (whiptail) parse them: `--name=value` or `--name value`, options and operands in any
/// order, and only operands after `--`. Abbreviations are not supported.
struct LongOptions {
  enum Problem: Error {
    case unknown(String)
    case noValue(String)
    case unwantedValue(String)
  }

  private(set) var given: [(name: String, value: String)] = []
  private(set) var operands: [String] = []

  static let none = LongOptions()

  private init() {}

  /// - Parameters:
  ///   - flags: The names of options without a value.
  ///   - values: The names of options with a value.
  init(_ arguments: [String], flags: Set<String>, values: Set<String>) throws(Problem) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        return
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0].dropFirst(2))
      guard argument.hasPrefix("--"), flags.contains(name) || values.contains(name) else {
        throw .unknown(String(parts[0]))
      }
      if flags.contains(name) {
        if parts.count > 1 { throw .unwantedValue(name) }
        given.append((name, ""))
      } else if parts.count > 1 {
        given.append((name, String(parts[1])))
      } else if let value = rest.popFirst() {
        given.append((name, value))
      } else {
        throw .noValue(name)
      }
    }
  }

  func has(_ name: String) -> Bool { given.contains { $0.name == name } }

  /// The last value of an option.
  subscript(_ name: String) -> String? { given.last { $0.name == name }?.value }

  /// All values of a repeatable option.
  func all(_ name: String) -> [String] { given.filter { $0.name == name }.map(\.value) }
}
