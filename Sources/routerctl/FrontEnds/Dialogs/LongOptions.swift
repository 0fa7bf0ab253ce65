/// Why a dialog program's command line cannot be asked as a request. The real program runs instead, if there is one.
enum DialogFailure: Error, Hashable {
  /// The command line is wrong: what the real program prints on standard error, and its exit status.
  case usage(String, Int32 = 255)
  /// Only the real program can show this.
  case cannotShow(String)
}

/// A command line of long options as GLib (zenity) and popt (whiptail) read it: `--name=value` or `--name value`, options and
/// operands in any order, and `--` before operands alone. Neither takes abbreviations.
struct LongOptions {
  enum Problem: Error {
    case unknown(String)
    case noValue(String)
    case unwantedValue(String)
  }

  private(set) var given: [(name: String, value: String)] = []
  private(set) var operands: [String] = []

  /// No options at all.
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

  /// The value of an option that is given once; the last one counts.
  subscript(_ name: String) -> String? { given.last { $0.name == name }?.value }

  /// All values of an option that may be repeated.
  func all(_ name: String) -> [String] { given.filter { $0.name == name }.map(\.value) }
}
