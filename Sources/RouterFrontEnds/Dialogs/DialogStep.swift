import Router

/// One box of a dialog command line, with its preceding options.
struct DialogStep {
  enum Kind: String, CaseIterable {
    case msgbox, infobox, yesno, inputbox, passwordbox, menu, checklist, radiolist, textbox, gauge, pause

    var isList: Bool { self == .menu || self == .checklist || self == .radiolist }
    /// Whether the box prints an answer.
    var hasOutput: Bool { isList || self == .inputbox || self == .passwordbox }
    /// The number of arguments after the box option; unbounded for a list.
    fileprivate var arguments: ClosedRange<Int> {
      switch self {
      case .msgbox, .infobox, .yesno, .textbox: 3...3
      case .inputbox, .passwordbox, .gauge: 3...4
      case .pause: 4...4
      case .menu, .checklist, .radiolist: 5...Int.max
      }
    }
  }

  let kind: Kind
  let options: DialogOptions
  private(set) var box = DialogBox()
  /// The status to show instead of a question.
  private(set) var status: DialogStatus?
  private(set) var tags: [String] = []
  private(set) var helps: [String] = []

  init(
    _ kind: Kind, _ arguments: [String], _ options: DialogOptions, file: (String) -> String?
  ) throws(DialogFailure) {
    self.kind = kind
    self.options = options
    guard kind.arguments.contains(arguments.count) else {
      throw DialogCall.usage("Wrong number of arguments for --\(kind.rawValue): \(arguments.count)")
    }
    if options.has("separate-output"), kind != .checklist {
      throw DialogCall.usage("Unexpected widget with --separate-output --\(kind.rawValue)")
    }
    for word in arguments[1..<(kind.isList || kind == .pause ? 4 : 3)] where !word.isEmpty && Int(word) == nil {
      throw DialogCall.usage("Expected a number for --\(kind.rawValue), not \(word)")
    }
    var text = trimmed(arguments[0])
    if kind == .textbox {
      guard let content = file(text) else { throw .usage("\nCan't open input file \(text)") }
      text = content
    }
    box.title = withoutColors(options["title"] ?? "")
    box.text = withoutColors(text)
    let seconds = options["timeout"].flatMap { Int($0) } ?? 0
    box.timeout = seconds > 0 ? .seconds(seconds) : nil
    box.buttons = buttons
    box.defaultButton = defaultButton
    let rest = arguments.dropFirst(3)
    switch kind {
    case .infobox: status = DialogStatus(text: box.text, kind: .message)
    case .gauge: status = DialogStatus(text: box.text, kind: .gauge, percent: rest.first.flatMap { Int($0) } ?? 0)
    case .pause: box.timeout = .seconds(max(1, rest.first.flatMap { Int($0) } ?? 1))
    case .inputbox:
      let limit = options["max-input"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
      box.fields = [.text("Answer", default: rest.first ?? "", limit: limit)]
    case .passwordbox: box.fields = [.secret("Password", default: rest.first ?? "")]
    case .menu, .checklist, .radiolist: box.fields = try rows(rest.dropFirst())
    case .msgbox, .yesno, .textbox: break
    }
  }

  private mutating func rows(_ arguments: ArraySlice<String>) throws(DialogFailure) -> [DialogBox.Field] {
    let hasItems = !options.has("no-items")
    let hasHelp = options.has("item-help")
    let group = 1 + (hasItems ? 1 : 0) + (kind == .menu ? 0 : 1) + (hasHelp ? 1 : 0)
    guard arguments.count.isMultiple(of: group) else {
      throw DialogCall.usage("Expected \(group) arguments, found extra \(arguments.count % group)")
    }
    var rest = arguments
    var (labels, states): ([String], [Bool]) = ([], [])
    while let tag = rest.popFirst() {
      let item = hasItems ? rest.popFirst() ?? "" : ""
      states.append(kind != .menu && rest.popFirst()?.lowercased() == "on")
      let help = hasHelp ? rest.popFirst() ?? "" : ""
      tags.append(tag)
      helps.append(help)
      let shown = [options.has("no-tags") ? "" : tag, withoutColors(item), help]
      labels.append(shown.filter { !$0.isEmpty }.joined(separator: " · "))
    }
    switch kind {
    case .checklist: return zip(labels, states).map { .check($0, $1) }
    case .radiolist: return [.choice("Choice", labels, default: states.firstIndex(of: true))]
    default:
      return [
        .choice(
          "Choice", labels, default: options["default-item"].flatMap { item in tags.firstIndex { $0.isSame(as: item) } },
          isRequired: true)
      ]
    }
  }

  private var buttons: [(DialogBox.Button, String)] {
    let extra: [(DialogBox.Button, String)] =
      options.has("extra-button") ? [(.extra(0), options["extra-label"] ?? "Extra")] : []
    let help: [(DialogBox.Button, String)] = options.has("help-button") ? [(.help, options["help-label"] ?? "Help")] : []
    switch kind {
    case .yesno: return [(.ok, options["yes-label"] ?? "Yes")] + extra + [(.cancel, options["no-label"] ?? "No")] + help
    case .msgbox: return [(.ok, options["ok-label"] ?? "OK")] + extra + help
    case .textbox: return [(.ok, options["exit-label"] ?? "EXIT")] + extra + help
    default:
      let cancel: [(DialogBox.Button, String)] =
        options.has("no-cancel") ? [] : [(.cancel, options["cancel-label"] ?? "Cancel")]
      return [(.ok, options["ok-label"] ?? "OK")] + extra + cancel + help
    }
  }

  private var defaultButton: DialogBox.Button? {
    switch options["default-button"]?.lowercased() {
    case "ok", "yes": .ok
    case "cancel", "no": .cancel
    case "extra": .extra(0)
    case "help": .help
    default: options.has("defaultno") ? .cancel : nil
    }
  }

  private func withoutColors(_ text: String) -> String {
    options.has("colors") ? text.replacing(/\\Z./.dotMatchesNewlines().matchingSemantics(.unicodeScalar), with: "") : text
  }

  /// Breaks lines as dialog does: at `\n`. Real line breaks then become spaces, unless --cr-wrap is set.
  private func trimmed(_ text: String) -> String {
    guard text.contains("\\n"), !options.has("no-nl-expand") else { return text }
    let text = text.withUnixLineEnds.replacing(/\\n(?:[ \t]*\n)?/.matchingSemantics(.unicodeScalar), with: "\u{0}")
    return (options.has("cr-wrap") ? text : text.replacing(each: "\n", with: " ")).replacing(each: "\u{0}", with: "\n")
  }
}
