import Router

/// The reason why a dialog program's command line cannot become a request. The real program runs instead, if it exists.
enum DialogFailure: Error, Hashable {
  /// The command line is invalid: the real program's error message and exit status.
  case usage(String, Int32 = 255)
  /// Only the real program can show the box.
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
      guard argument.begins(with: "-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      let parts = argument.cut(at: "=")
      let option = parts?.before ?? argument[...]
      guard let name = option.rest(after: "--").map({ String($0) }), flags.contains(name) || values.contains(name) else {
        throw .unknown(String(option))
      }
      if flags.contains(name) {
        if parts != nil { throw .unwantedValue(name) }
        given.append((name, ""))
      } else if let value = parts?.after {
        given.append((name, String(value)))
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
