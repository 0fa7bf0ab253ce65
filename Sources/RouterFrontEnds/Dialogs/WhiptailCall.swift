import Router

/// A parsed command line of whiptail (newt 0.52).
struct WhiptailCall {
  enum Action {
    case ask(DialogBox)
    case show(DialogStatus)
    case help, version
  }

  enum Kind: String, CaseIterable {
    case infobox, msgbox, yesno, checklist, inputbox, radiolist, menu, gauge, textbox, passwordbox
  }

  private(set) var action: Action = .help
  /// The file descriptor to write the answer to.
  private(set) var descriptor: Int32 = 2
  private(set) var kind = Kind.msgbox
  private var tags: [String] = []
  private var hasLines = false
  /// The exit status of Esc, which whiptail treats as the cancel button if --nocancel hides that button.
  private var closed: Int32 = 255

  private static let flags: Set<String> = [
    "clear", "defaultno", "fb", "fullbuttons", "nocancel", "noitem", "notags", "scrolltext", "separate-output", "topleft",
    "help", "version",
  ]
  private static let values: Set<String> = [
    "backtitle", "default-item", "title", "output-fd", "yes-button", "no-button", "ok-button", "cancel-button",
  ]

  /// - Parameter file: Reads a file; `nil` if it cannot be read.
  init(_ arguments: [String], file: (String) -> String? = DialogInput.contents(ofFile:)) throws(DialogFailure) {
    let arguments = arguments.map { $0 == "-h" ? "--help" : $0 == "-v" ? "--version" : $0 }
    let options = try Self.options(arguments)
    if options.has("help") { return }
    if options.has("version") {
      action = .version
      return
    }
    let kinds = options.given.compactMap { Kind(rawValue: $0.name) }
    guard kinds.count == 1 else { throw Self.usage("give one box option, such as --msgbox") }
    kind = kinds[0]
    if let output = options["output-fd"] {
      guard let number = Int32(output) else { throw .usage("--output-fd: invalid numeric value", 1) }
      descriptor = number
    }
    hasLines = options.has("separate-output")

    var operands = options.operands[...]
    guard var text = operands.popFirst() else { throw Self.usage("--\(kind.rawValue): missing text") }
    if kind == .textbox {
      guard let content = file(text) else { throw .usage("\(text): No such file or directory") }
      text = content
    }
    let isList = kind == .menu || kind == .checklist || kind == .radiolist
    for size in ["height", "width"] + (isList ? ["list height"] : []) {
      guard let word = operands.popFirst(), word.isEmpty || Int(word) != nil else {
        throw Self.usage("--\(kind.rawValue): missing or invalid \(size)")
      }
    }
    text = text.replacing("\\n", with: "\n")
    if kind == .infobox || kind == .gauge {
      if kind == .gauge, operands.first.flatMap({ Int($0) }) == nil { throw Self.usage("--gauge: missing percent") }
      action = .show(
        DialogStatus(text: text, kind: kind == .gauge ? .gauge : .message, percent: Int(operands.first ?? "") ?? 0))
      return
    }
    var box = DialogBox(title: options["title"] ?? "", text: text)
    switch kind {
    case .inputbox: box.fields = [.text("Answer", default: operands.first ?? "")]
    case .passwordbox: box.fields = [.secret("Password", default: operands.first ?? "")]
    case .menu, .checklist, .radiolist: box.fields = try rows(operands, options)
    default: break
    }
    box.buttons = Self.buttons(kind, options)
    if kind == .yesno, options.has("defaultno") { box.defaultButton = .cancel }
    if options.has("nocancel"), !box.fields.isEmpty { closed = 1 }
    action = .ask(box)
  }

  private static func options(_ arguments: [String]) throws(DialogFailure) -> LongOptions {
    do {
      return try LongOptions(arguments, flags: flags.union(Kind.allCases.map(\.rawValue)), values: values)
    } catch {
      switch error {
      case .unknown(let option): throw .usage("\(option): unknown option", 1)
      case .noValue(let option): throw .usage("--\(option): missing argument", 1)
      case .unwantedValue(let option): throw .usage("--\(option): option does not take an argument", 1)
      }
    }
  }

  private static func usage(_ problem: String) -> DialogFailure {
    .usage("whiptail: \(problem)\nUse --help to list options.")
  }

  private static func buttons(_ kind: Kind, _ options: LongOptions) -> [(DialogBox.Button, String)] {
    switch kind {
    case .yesno: return [(.ok, options["yes-button"] ?? "Yes"), (.cancel, options["no-button"] ?? "No")]
    case .msgbox, .textbox: return [(.ok, options["ok-button"] ?? "Ok")]
    default:
      let cancel: [(DialogBox.Button, String)] =
        options.has("nocancel") ? [] : [(.cancel, options["cancel-button"] ?? "Cancel")]
      return [(.ok, options["ok-button"] ?? "Ok")] + cancel
    }
  }

  /// Parses the rows of a list: the tag, the item unless it is omitted, and the status in check and radio lists.
  private mutating func rows(
    _ operands: ArraySlice<String>, _ options: LongOptions
  ) throws(DialogFailure) -> [DialogBox.Field] {
    let hasItems = !options.has("noitem")
    var rest = operands
    var (labels, states): ([String], [Bool]) = ([], [])
    while let tag = rest.popFirst() {
      // A menu's rows always have an item, even if it is not shown.
      let item = hasItems || kind == .menu ? rest.popFirst() : ""
      let state = kind == .menu ? "" : rest.popFirst()
      guard let item, let state else { throw Self.usage("--\(kind.rawValue): incomplete row \"\(tag)\"") }
      tags.append(tag)
      states.append(state == "1" || ["on", "yes"].contains(state.lowercased()))
      labels.append([options.has("notags") ? "" : tag, hasItems ? item : ""].filter { !$0.isEmpty }.joined(separator: " · "))
    }
    guard !tags.isEmpty else { throw Self.usage("--\(kind.rawValue): no rows") }
    switch kind {
    case .checklist: return zip(labels, states).map { .check($0, $1) }
    case .radiolist: return [.choice("Choice", labels, default: states.lastIndex(of: true))]
    default:
      return [
        .choice(
          "Choice", labels, default: options["default-item"].flatMap { item in tags.lastIndex { $0.isSame(as: item) } },
          isRequired: true)
      ]
    }
  }

  /// Returns whiptail's output, without a newline, and its exit status; `nil` if the box could not be shown.
  func reply(_ result: DialogBox.Result) -> DialogReply? {
    switch result {
    case .pressed(.ok, let values): DialogReply(output: output(values), status: 0)
    case .pressed: DialogReply(status: 1)
    case .closed: DialogReply(status: closed)
    case .expired, .withdrawn: DialogReply(status: 255)
    case .unavailable: nil
    }
  }

  private func output(_ values: [DialogBox.Value]) -> String {
    switch kind {
    case .inputbox, .passwordbox: return values.first?.text ?? ""
    case .menu, .radiolist: return values.first?.row.map { tags[$0] } ?? ""
    case .checklist:
      let chosen = zip(tags, values).filter { $1.isOn }.map(\.0)
      return hasLines
        ? chosen.map { $0 + "\n" }.joined() : chosen.map { "\"\($0)\"" }.joined(separator: " ")
    default: return ""
    }
  }
}
