import Glibc
import Router

/// A parsed command line of zenity (3.44 and 4).
struct ZenityCall {
  enum Action {
    case ask(DialogBox)
    case show(DialogStatus)
    case help, version
  }

  enum Mode: String, CaseIterable {
    case info, warning, error, question, entry, password, list, forms, scale, calendar, progress
    case textInfo = "text-info"
    /// Only the real zenity can show these.
    case notification, about
    case fileSelection = "file-selection"
    case colorSelection = "color-selection"

    var isMessage: Bool { self == .info || self == .warning || self == .error }
  }

  private(set) var action: Action = .help
  private(set) var mode = Mode.info
  private let options: LongOptions
  private var box = DialogBox()
  /// The rows of a list; each has one cell per column.
  private var rows: [[String]] = []
  /// The rows of the lists and combo boxes of --forms, by field position.
  private var tables: [Int: [[String]]] = [:]

  private static let flags: Set<String> = [
    "about", "auto-close", "auto-kill", "auto-scroll", "checklist", "confirm-overwrite", "default-cancel", "directory",
    "editable", "ellipsize", "g-fatal-warnings", "help", "hide-header", "hide-text", "hide-value", "html", "imagelist",
    "listen", "mid-search", "modal", "multiple", "no-cancel", "no-interaction", "no-markup", "no-wrap", "print-partial",
    "pulsate", "radiolist", "save", "show-header", "show-palette", "switch", "sync", "time-remaining", "username", "version",
  ]
  private static let values: Set<String> = [
    "add-calendar", "add-combo", "add-entry", "add-list", "add-multiline-entry", "add-password", "app-id", "attach",
    "cancel-label", "checkbox", "class", "color", "column", "column-values", "combo-values", "date-format", "day", "display",
    "entry-text", "extra-button", "file-filter", "filename", "font", "gdk-debug", "gdk-no-debug", "gtk-debug", "gtk-module",
    "gtk-no-debug", "height", "hide-column", "hint", "icon", "icon-name", "list-values", "max-value", "min-value", "month",
    "name", "ok-label", "percentage", "print-column", "screen", "separator", "step", "text", "timeout", "title", "url", "value",
    "width", "window-icon", "year",
  ]
  private static let numbers = ["timeout", "percentage", "value", "min-value", "max-value", "day", "month", "year"]

  /// - Parameters:
  ///   - input: Standard input, for a list without rows or a text without a file.
  ///   - file: Reads a file; `nil` if it cannot be read.
  init(
    _ arguments: [String], input: inout DialogInput, file: (String) -> String? = DialogInput.contents(ofFile:)
  ) throws(DialogFailure) {
    do {
      options = try LongOptions(arguments, flags: Self.flags.union(Mode.allCases.map(\.rawValue)), values: Self.values)
    } catch {
      // GLib has a help option for each group.
      if case .unknown(let option) = error, option == "-h" || option == "-?" || option.begins(with: "--help-") {
        options = .none
        return
      }
      throw .usage("This option is not available. Please see --help for all possible usages.")
    }
    if options.has("help") { return }
    if options.has("version") {
      action = .version
      return
    }
    let modes = options.given.compactMap { Mode(rawValue: $0.name) }
    guard let mode = modes.first else { throw .usage("You must specify a dialog type. See 'zenity --help' for details") }
    guard Set(modes).count == 1 else { throw .usage("Two or more dialog options specified") }
    self.mode = mode
    for name in Self.numbers {
      guard let text = options[name] else { continue }
      if Int(text) == nil { throw .usage("This option is not available. Please see --help for all possible usages.") }
    }
    box.title = options["title"] ?? ""
    box.text = text
    box.timeout = number("timeout").flatMap { $0 > 0 ? .seconds($0) : nil }
    switch mode {
    case .info, .warning, .error, .question, .password: break
    case .entry: box.fields = [entry]
    case .scale: box.fields = [try scale()]
    case .calendar: box.fields = [.date("Date", default: try Self.date(number("year"), number("month"), number("day")))]
    case .list: box.fields = try list(&input)
    case .forms: box.fields = try forms()
    case .textInfo: box.text = try content(&input, file)
    case .progress:
      action = .show(
        DialogStatus(
          text: box.text, kind: .progress, percent: number("percentage") ?? 0, closesWhenDone: options.has("auto-close")))
      return
    case .notification, .about, .fileSelection, .colorSelection: throw .cannotShow("--" + mode.rawValue)
    }
    if mode == .password {
      box.fields = (options.has("username") ? [.text("Username")] : []) + [.secret("Password")]
      if box.text.isEmpty { box.text = options.has("username") ? "Type your username and password" : "Type your password" }
    }
    if options.has("switch"), options.all("extra-button").isEmpty {
      throw .usage("This option is not available. Please see --help for all possible usages.")
    }
    box.buttons = buttons
    if mode == .question, options.has("default-cancel") { box.defaultButton = .cancel }
    action = .ask(box)
  }

  private func number(_ name: String) -> Int? { options[name].flatMap { Int($0) } }

  /// The text to show.
  private var text: String {
    let text = options["text"] ?? ""
    if options.has("no-markup"), mode.isMessage || mode == .question { return text }
    let plain = CEscapes.decode(text)
    // An entry's text is not markup, but an underscore marks a mnemonic.
    return mode == .entry ? plain.withoutMnemonic : PangoMarkup.text(plain)
  }

  private var extras: [(DialogBox.Button, String)] {
    options.all("extra-button").enumerated().map { (.extra($0), $1.withoutMnemonic) }
  }

  private var buttons: [(DialogBox.Button, String)] {
    func label(_ name: String, _ plain: String) -> String { options[name]?.withoutMnemonic ?? plain }
    if options.has("switch") { return extras }
    switch mode {
    case .question: return [(.ok, label("ok-label", "Yes"))] + extras + [(.cancel, label("cancel-label", "No"))]
    case .info, .warning, .error: return [(.ok, label("ok-label", "OK"))] + extras
    default:
      // OK means agreement: zenity enables it once the box is checked.
      let agree = mode == .textInfo ? options["checkbox"] : nil
      return [(.ok, agree ?? label("ok-label", "OK"))] + extras + [(.cancel, label("cancel-label", "Cancel"))]
    }
  }
}

extension ZenityCall {
  private var entry: DialogBox.Field {
    if options.has("hide-text") { return .secret("Answer", default: options["entry-text"] ?? "") }
    let suggestions = options.operands.count > 1 ? "Suggestions: " + options.operands.joined(separator: ", ") : nil
    return .text("Answer", default: options["entry-text"] ?? "", hint: suggestions)
  }

  private func scale() throws(DialogFailure) -> DialogBox.Field {
    let (value, minimum, maximum) = (number("value") ?? 0, number("min-value") ?? 0, number("max-value") ?? 100)
    guard minimum < maximum else { throw .usage("Maximum value must be greater than minimum value.") }
    guard (minimum...maximum).contains(value) else { throw .usage("Value out of range.") }
    return .number("Value", default: value, range: minimum...maximum)
  }

  private func content(_ input: inout DialogInput, _ file: (String) -> String?) throws(DialogFailure) -> String {
    for name in ["html", "url", "editable"] where options.has(name) { throw .cannotShow("--text-info --" + name) }
    guard let path = options["filename"] else { return input.read() }
    guard let content = file(path) else { throw .cannotShow(path) }
    return content
  }

  /// Returns today's date with the given parts replaced, as `2026-11-23`.
  private static func date(_ year: Int? = nil, _ month: Int? = nil, _ day: Int? = nil) throws(DialogFailure) -> String {
    var (now, today) = (time(nil), tm())
    localtime_r(&now, &today)
    let parts = [year ?? Int(today.tm_year) + 1900, month ?? Int(today.tm_mon) + 1, day ?? Int(today.tm_mday)]
    let text = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    guard FormSchema.Property.Format.date.matches(text) else { throw .cannotShow("the date \(text)") }
    return text
  }

  /// Parses the column positions of an option, such as `1,3`.
  private func columns(_ name: String, _ count: Int) -> [Int]? {
    options[name].map { $0.split(at: ",").compactMap { Int($0) }.filter { (1...count).contains($0) } }
  }

  private var hasToggles: Bool { options.has("checklist") || options.has("radiolist") }

  private mutating func list(_ input: inout DialogInput) throws(DialogFailure) -> [DialogBox.Field] {
    let headers = options.all("column")
    guard !headers.isEmpty else { throw .usage("No column titles specified for List dialog.") }
    guard ["checklist", "radiolist", "imagelist"].count(where: options.has) < 2 else {
      throw .usage("You should use only one List dialog type.")
    }
    var cells = options.operands
    if cells.isEmpty {
      cells = input.read().lines.map { String($0) }
    }
    rows = Self.table(cells, columns: headers.count)
    if rows.isEmpty { return [] }
    let hidden = columns("hide-column", headers.count) ?? []
    let shown = headers.indices.filter { !hidden.contains($0 + 1) && !($0 == 0 && (hasToggles || options.has("imagelist"))) }
    let labels = rows.map { row in shown.map { row[$0] }.filter { !$0.isEmpty }.joined(separator: " · ") }
    let isOn = rows.map { hasToggles && $0[0].lowercased() == "true" }
    if options.has("checklist") || (options.has("multiple") && !hasToggles) { return zip(labels, isOn).map { .check($0, $1) } }
    let header = options.has("hide-header") ? "" : shown.map { headers[$0] }.joined(separator: " · ")
    return [.choice(header.isEmpty ? "Choice" : header, labels, default: isOn.lastIndex(of: true))]
  }

  private static func table(_ cells: [String], columns: Int) -> [[String]] {
    stride(from: 0, to: cells.count, by: columns).map { start in
      let row = cells[start..<min(start + columns, cells.count)]
      return row + Array(repeating: "", count: columns - row.count)
    }
  }

  private mutating func forms() throws(DialogFailure) -> [DialogBox.Field] {
    if options.has("add-multiline-entry") { throw .cannotShow("--add-multiline-entry") }
    var combos = options.all("combo-values")[...]
    var lists = options.all("list-values")[...]
    let header = options.all("column-values").first?.split(at: "|", omittingEmptySubsequences: false).count ?? 1
    var fields: [DialogBox.Field] = []
    for (name, label) in options.given {
      switch name {
      case "add-entry": fields.append(.text(label))
      case "add-password": fields.append(.secret(label))
      case "add-calendar": fields.append(.date(label, default: try Self.date()))
      case "add-combo", "add-list":
        let values = name == "add-combo" ? combos.popFirst() : lists.popFirst()
        let cells = (values ?? "").split(at: "|", omittingEmptySubsequences: false).map { String($0) }
        let table = Self.table(cells, columns: name == "add-combo" ? 1 : header)
        tables[fields.count] = table
        fields.append(.choice(label, table.map { $0.joined(separator: " · ") }))
      default: break
      }
    }
    if fields.isEmpty { throw .cannotShow("--forms without a field") }
    return fields
  }
}

extension ZenityCall {
  /// Returns zenity's output and exit status; `nil` if the box could not be shown.
  ///
  /// - Parameter environment: Looks up variables that change exit statuses, such as ZENITY_ESC.
  func reply(_ result: DialogBox.Result, environment: (String) -> String?) -> DialogReply? {
    func status(_ name: String, _ number: Int32) -> Int32 {
      let text = environment("ZENITY_" + name) ?? environment("DIALOG_" + name)
      return text.map { Int32(truncatingIfNeeded: atoi($0)) } ?? number
    }
    switch result {
    case .pressed(.ok, let values): return DialogReply(output: output(values), status: status("OK", 0))
    case .pressed(.extra(let index), _):
      return DialogReply(output: options.all("extra-button")[index] + "\n", status: status("ESC", 1))
    case .pressed: return DialogReply(status: mode == .textInfo ? status("ESC", 1) : status("CANCEL", 1))
    case .closed: return DialogReply(status: status("ESC", 1))
    case .expired:
      // These variables do not affect the timeout of a message, and passwords are not printed.
      let output = mode == .password ? "" : output(box.fields.map(\.untouched))
      return DialogReply(output: output, status: mode.isMessage || mode == .question ? 5 : status("TIMEOUT", 5))
    case .withdrawn: return DialogReply(status: status("ERROR", 255))
    case .unavailable: return nil
    }
  }

  private func output(_ values: [DialogBox.Value]) -> String {
    switch mode {
    case .entry, .scale: return (values.first?.text ?? "") + "\n"
    case .password: return values.map(\.text).joined(separator: "|") + "\n"
    case .calendar: return formatted(values.first?.text ?? "") + "\n"
    case .list:
      let chosen = values.count == 1 ? values[0].row.map { [$0] } : nil
      let indexes = chosen ?? values.indices.filter { values[$0].isOn }
      let all = options["print-column"]?.lowercased() == "all"
      let first = hasToggles ? 1 : 0
      let count = options.all("column").count
      let printed = all ? Array(first..<count) : columns("print-column", count)?.map { $0 - 1 } ?? [first]
      let cells = indexes.flatMap { row in printed.map { rows[row].indices.contains($0) ? rows[row][$0] : "" } }
      return cells.isEmpty ? "" : cells.joined(separator: CEscapes.decode(options["separator"] ?? "|")) + "\n"
    case .forms:
      let separator = options["separator"] ?? "|"
      return values.indices.map { field($0, values[$0], isLast: $0 == values.count - 1) }.joined(separator: separator) + "\n"
    default: return ""
    }
  }

  private func field(_ position: Int, _ value: DialogBox.Value, isLast: Bool) -> String {
    switch box.fields[position] {
    case .date: return formatted(value.text)
    case .choice:
      let cells = value.row.flatMap { tables[position]?[$0] }
      // zenity ends each cell of a table with a comma, except in the last field.
      if isCombo(position) { return cells?.first ?? " " }
      return (cells ?? []).map { isLast ? $0 : $0 + "," }.joined()
    default: return value.text
    }
  }

  private func isCombo(_ position: Int) -> Bool {
    let names = options.given.map(\.name).filter { $0.begins(with: "add-") }
    return names[position] == "add-combo"
  }

  /// Formats a form's date like zenity: with --date-format, otherwise by the locale.
  private func formatted(_ date: String) -> String {
    let parts = date.split(at: "-").compactMap { Int32($0) }
    guard parts.count == 3 else { return "" }
    var moment = tm()
    (moment.tm_year, moment.tm_mon, moment.tm_mday, moment.tm_hour) = (parts[0] - 1900, parts[1] - 1, parts[2], 12)
    // Computes the day of the week.
    mktime(&moment)
    setlocale(LC_ALL, "")
    var buffer = [CChar](repeating: 0, count: 128)
    let length = strftime(&buffer, buffer.count, options["date-format"] ?? "%x", &moment)
    return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
