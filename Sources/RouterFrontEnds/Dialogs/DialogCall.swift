import Router

/// The common options of one dialog box, by name without dashes. Later values override earlier ones.
struct DialogOptions {
  private var values: [String: String] = [:]

  subscript(_ name: String) -> String? { values[name] }
  func has(_ flag: String) -> Bool { values[flag] != nil }

  fileprivate mutating func set(_ name: String, _ value: String?) { values[name] = value }

  fileprivate static let flags: Set<String> = [
    "allow-close", "ascii-lines", "auto-placement", "beep", "beep-after", "clear", "colors", "cr-wrap", "cursor-off-label",
    "defaultno", "erase-on-exit", "extra-button", "fb", "fixed-font", "fullbutton", "help-button", "help-status", "help-tags",
    "ignore", "insecure", "iso-week", "item-help", "keep-colors", "keep-tite", "keep-window", "last-key", "no-cancel",
    "no-close", "no-collapse", "no-hot-list", "no-items", "no-kill", "no-lines", "no-mouse", "no-nl-expand", "no-ok",
    "no-shadow", "no-tags", "quoted", "reorder", "screen-center", "scrollbar", "scrolltext", "separate-output",
    "single-quoted", "size-err", "smooth", "tab-correct", "topleft", "trim", "under-mouse", "visit-items",
  ]
  fileprivate static let valued: Set<String> = [
    "aspect", "backtitle", "cancel-label", "column-separator", "date-format", "default-button", "default-item", "exit-label",
    "extra-label", "help-label", "hfile", "hline", "icon", "max-input", "no-label", "ok-label", "output-separator",
    "separate-widget", "sleep", "tab-len", "time-format", "timeout", "title", "trace", "week-start", "wmclass", "yes-label",
  ]
  fileprivate static let aliases = [
    "noitem": "no-items", "notags": "no-tags", "cancel-button": "cancel-label", "no-button": "no-label",
    "ok-button": "ok-label", "yes-button": "yes-label", "separator": "output-separator", "guage": "gauge",
  ]
  /// Options that only the real dialog supports, for example because they print other output than an answer.
  fileprivate static let others: Set<String> = [
    "args", "buildlist", "calendar", "create-rc", "dselect", "editbox", "file", "form", "fselect", "inputmenu", "mixedform",
    "mixedgauge", "passwordform", "prgbox", "print-maxsize", "print-size", "print-text-only", "print-text-size",
    "print-version", "programbox", "progressbox", "rangebox", "tailbox", "tailboxbg", "timebox", "treeview",
  ]

  /// Finds the option for a word. In dialog, adding or removing a leading "no" turns a flag off.
  fileprivate static func find(_ word: String) -> (name: String, isOn: Bool)? {
    let name = aliases[word] ?? word
    if flags.contains(name) || valued.contains(name) || others.contains(name) || DialogStep.Kind(rawValue: name) != nil
      || ["and-widget", "begin", "help", "input-fd", "output-fd", "stderr", "stdout", "version"].contains(name)
    {
      return (name, true)
    }
    if name.begins(with: "no") {
      let rest = String(name.rest(after: "no-") ?? name.dropFirst(2))
      if flags.contains("no-" + rest) { return ("no-" + rest, true) }
      return flags.contains(rest) ? (rest, false) : nil
    }
    return flags.contains("no-" + name) ? ("no-" + name, false) : nil
  }
}

/// A parsed command line of dialog (1.3): a sequence of boxes.
struct DialogCall {
  enum Action {
    case help, version
    case steps([DialogStep])
  }

  private(set) var action: Action = .help
  /// The file descriptor to write the answers to.
  private(set) var descriptor: Int32 = 2
  /// The separator between the answers of several boxes.
  private(set) var separator = "\t"
  /// The positions of boxes to show regardless of the previous answer.
  private(set) var chained: Set<Int> = []

  private struct Word {
    let text: String
    /// The option that the word names; `nil` for other words.
    let option: (name: String, isOn: Bool)?
    let isOption: Bool
  }

  static func usage(_ problem: String) -> DialogFailure { .usage("\n\(problem).\nUse --help to list options.\n\n") }

  init(_ arguments: [String], file: (String) -> String? = DialogInput.contents(ofFile:)) throws(DialogFailure) {
    var words = Self.words(arguments)[...]
    if words.isEmpty || words.contains(where: { $0.option?.name == "help" }) { return }
    if words.contains(where: { $0.option?.name == "version" }) {
      action = .version
      return
    }
    if let other = words.compactMap(\.option?.name).first(where: DialogOptions.others.contains) {
      throw .cannotShow("--" + other)
    }
    var steps: [DialogStep] = []
    var options = DialogOptions()
    while let word = words.popFirst() {
      guard let (name, isOn) = word.option else {
        throw Self.usage(
          word.isOption
            ? "Unknown option \(word.text)" : "Expected \(steps.isEmpty ? "a box option" : "--and-widget"), not \(word.text)")
      }
      if let kind = DialogStep.Kind(rawValue: name) {
        let rest = words.prefix { $0.option == nil }
        words = words.dropFirst(rest.count)
        steps.append(try DialogStep(kind, rest.map(\.text), options, file: file))
        options = DialogOptions()
      } else {
        try take(name, isOn, &words, &options, position: steps.count)
      }
    }
    action = .steps(steps)
  }

  /// Parses an option and its values.
  private mutating func take(
    _ name: String, _ isOn: Bool, _ words: inout ArraySlice<Word>, _ options: inout DialogOptions, position: Int
  ) throws(DialogFailure) {
    func value(isNumber: Bool = false) throws(DialogFailure) -> String {
      guard let value = words.popFirst()?.text, !isNumber || Int(value) != nil else {
        throw Self.usage("Expected a \(isNumber ? "numeric" : "string")-parameter for --\(name)")
      }
      return value
    }
    switch name {
    case "and-widget": chained.insert(position)
    case "begin": _ = (try value(isNumber: true), try value(isNumber: true))
    case "stdout": descriptor = 1
    case "stderr": descriptor = 2
    case "output-fd": descriptor = Int32(try value(isNumber: true)) ?? 2
    case "input-fd": _ = try value(isNumber: true)
    case "separate-widget": separator = try value()
    case "aspect", "max-input", "sleep", "tab-len", "timeout": options.set(name, try value(isNumber: true))
    case _ where DialogOptions.valued.contains(name): options.set(name, try value())
    default: options.set(name, isOn ? "" : nil)
    }
  }

  /// Classifies words as options or operands. The word after `--` is never an option.
  private static func words(_ arguments: [String]) -> [Word] {
    var rest = arguments[...]
    var words: [Word] = []
    while let argument = rest.popFirst() {
      if argument == "--" {
        if let next = rest.popFirst() { words.append(Word(text: next, option: nil, isOption: false)) }
        continue
      }
      let name = argument.rest(after: "--")
      let isOption = name?.utf8.first?.lowercasedASCII.isSmallLetter == true
      let option = isOption ? name.flatMap { DialogOptions.find(String($0)) } : nil
      words.append(Word(text: argument, option: option, isOption: isOption))
    }
    return words
  }
}
