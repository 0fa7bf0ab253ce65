import RouterCore

/// Renders the current buttons and fields as lines.
struct PromptControls {
  /// The least number of visible rows of an open list.
  static let listRows = 6
  static let (commentLabel, periodLabel, widthLabel, laterLabel) = ("Say why", "Remember", "For", "Not now")

  static func batchLabel(_ count: Int) -> String { "Also \(count) like this" }

  /// How many lines of buttons to draw on each side of the selected one, before choosing those that fit.
  private static let reach = 200

  private let state: PromptState
  private let style: OutputStyle
  private let listRows: Int
  private(set) var lines: [String] = []
  /// The cursor, with its row relative to the first of these lines.
  private(set) var cursor: Frame.Cursor?
  /// The lines of the focused control.
  private var focused = 0..<1

  init(_ state: PromptState, style: OutputStyle, listRows: Int = Self.listRows) {
    self.state = state
    self.style = style
    self.listRows = listRows
    if state.buttons.isLong {
      addInput("  find (\(Self.position(in: state.buttons))): ", state.buttons.filter, LineEditor(state.buttons.filter))
      if state.buttons.matches.isEmpty { lines.append(style.text("  no matches", .dim)) }
    }
    // Of a list of thousands, draw only the buttons that may be visible.
    let stops = state.stops
    let place = state.focus.flatMap(stops.firstIndex) ?? 0
    for stop in stops[max(0, place - Self.reach)..<min(stops.count, place + Self.reach)] { add(stop) }
  }

  /// The rows of the buttons, and of the focused control below them; `nil` without buttons, or if they can be searched.
  var leastRows: Int? {
    guard !state.prompt.buttons.isEmpty, !state.buttons.isLong else { return nil }
    let count = state.prompt.buttons.count
    return count + (focused.lowerBound < count ? 0 : focused.count)
  }

  /// Returns as many lines as fit, including the focused control, and the cursor relative to them.
  func window(rows: Int) -> (lines: [String], cursor: Frame.Cursor?) {
    guard lines.count > rows else { return (lines, cursor) }
    // The buttons, or the search text of a long list of them, stay visible above the rest.
    let pinned =
      state.buttons.isLong ? (rows > 1 ? 1 : 0) : leastRows.map { $0 > rows ? 0 : state.prompt.buttons.count } ?? 0
    let room = rows - pinned
    let wanted = focused.count > room ? focused.lowerBound : focused.lowerBound - (room - focused.count) / 2
    let first = max(pinned, min(wanted, lines.count - room))
    var cursor = cursor
    if let row = cursor?.row, row >= pinned {
      cursor?.row = row - first + pinned
      if !(first..<first + room).contains(row) { cursor = nil }
    }
    return (Array(lines[..<pinned] + lines[first..<first + room]), cursor)
  }

  private mutating func add(_ stop: PromptState.Stop) {
    let start = lines.count
    let isFocused = state.focus == stop
    switch stop {
    case .button(let index): addButton(state.prompt.buttons[index], isFocused)
    case .field(let index): addField(state.fields[index], isFocused)
    case .anyJSON:
      lines.append(label("Answer, as JSON", isFocused, ""))
      addInput("    ", state.anyJSON.text, state.anyJSON, hasCursor: isFocused)
    case .suppression:
      let label = (state.prompt.suppressionToggle ?? "").escapedForTerminal().cut(to: style.width - 11)
      addPlain((state.isSuppressed ? "[x] " : "[ ] ") + label, key: "", isFocused)
    case .period:
      addChoice(Self.periodLabel, state.mayRemember ? state.memory.periodLabel : "only if seen whole", isFocused)
    case .width: addChoice(Self.widthLabel, state.memory.widthLabel, isFocused)
    case .comment:
      let room = style.width - Self.commentLabel.columns - 12
      let text = state.comment.text.isEmpty ? "" : ": " + state.comment.text.escapedForTerminal().cut(to: room)
      if isFocused {
        lines.append(label(Self.commentLabel, true, "for the program and the log"))
        addInput("    ", state.comment.text, state.comment)
      } else {
        addPlain(Self.commentLabel + text, key: "", false)
      }
    case .batch: addChoice(Self.batchLabel(state.batch.others.count), state.batch.label, isFocused)
    case .other(let index):
      let summary = PresentationSummary(state.batch.others[index].request).text.escapedForTerminal()
      addPlain("  " + (state.batch.isChosen(index) ? "[x] " : "[ ] ") + summary.cut(to: style.width - 13), key: "", isFocused)
    case .later: addChoice(Self.laterLabel, state.later?.label ?? "", isFocused)
    case .submit: addPlain("Answer", key: "", isFocused)
    case .close:
      // If there is a cancel button, Escape presses it.
      let hasEscape = !state.prompt.buttons.contains { $0.role == .cancel }
      addPlain(state.prompt.closing.label, key: hasEscape ? "esc" : "", isFocused)
    }
    if isFocused { focused = start..<lines.count }
  }

  private func mark(_ isFocused: Bool) -> String { isFocused ? style.text("› ", .magenta) : "  " }

  private mutating func addPlain(_ text: String, key: String, _ isFocused: Bool) {
    let key = key + String(repeating: " ", count: 5 - key.count)
    lines.append(mark(isFocused) + style.text(key, .dim) + style.text(text, isFocused ? [.reverse] : []))
  }

  /// The rows of a value that the arrow keys change; a longer one is cut.
  private static let valueRows = 8

  /// Adds a value that the arrow keys change, in full.
  private mutating func addChoice(_ name: String, _ value: String, _ isFocused: Bool) {
    var start = mark(isFocused) + "     \(name): "
    var margin = 9 + name.columns
    // Either mark of the value is two columns wide.
    if style.width - margin - 4 < 12 {
      lines.append(start)
      margin = 7
      start = String(repeating: " ", count: margin)
    }
    let room = style.width - margin - 4
    let values = value.escapedForTerminal().cut(to: Self.valueRows * room).wrapped(to: room)
    for (index, value) in values.enumerated() {
      let (before, after) = (index == 0 ? "‹ " : "  ", index == values.count - 1 ? " ›" : "")
      lines.append(start + (isFocused ? style.text(before + value + after, .reverse) : value))
      start = String(repeating: " ", count: margin)
    }
  }

  private mutating func addButton(_ button: PromptDescription.Button, _ isFocused: Bool) {
    let digit = state.buttons.isLong ? nil : button.key
    let key = (digit ?? "") + String(repeating: " ", count: digit == nil ? 5 : 4)
    var faces: [OutputStyle.Face] = button.role == .destructive ? [.red] : []
    faces += state.isArmed ? (isFocused ? [.reverse] : []) : [.dim]
    var notes = button.role == .destructive ? [ButtonRole.destructive.rawValue] : []
    if button.isDefault { notes.append("Enter") }
    if button.role == .cancel { notes.append("Esc") }
    var note = notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))"
    if style.width - 7 - note.columns < 8 { note = "" }
    let isUnread = !state.hasSeenAll && button.role != .cancel && state.hasContent
    let label = isUnread && !button.label.hasSuffix(Self.unread) ? button.label + Self.unread : button.label
    let text = label.escapedForTerminal().cut(to: style.width - 7 - note.columns)
    lines.append(mark(isFocused) + style.text(key, .dim) + style.text(text, faces) + style.text(note, .dim))
  }

  private static let unread = " without seeing all of it"

  private func label(_ text: String, _ isFocused: Bool, _ hint: String) -> String {
    let room = style.width - 2
    let text = text.escapedForTerminal().cut(to: hint.isEmpty ? room : max(8, room / 2))
    let hint = hint.isEmpty ? "" : "  (\(hint))".cut(to: max(0, room - text.columns))
    return mark(isFocused) + style.text(text, .bold) + style.text(hint, .dim)
  }

  private mutating func addField(_ field: FieldState, _ isFocused: Bool) {
    let hint = [field.field.isRequired ? "required" : nil, field.field.hint?.escapedForTerminal()].compactMap(\.self)
    lines.append(label(field.field.label, isFocused, hint.joined(separator: ", ")))
    if isFocused, let description = field.field.description {
      lines += description.escapedForTerminal().wrapped(to: style.width - 4).prefix(4).map { "    " + style.text($0, .dim) }
    }
    switch field.content {
    case .line(let editor):
      let shown = field.field.control == .secret ? editor.masked : editor
      addInput("    ", shown.text, shown, hasCursor: isFocused)
    case .list(let list):
      if isFocused, field.isOpenList { addOpenList(list) } else { addClosedList(list, field) }
    }
    if let problem = field.problem {
      lines += problem.escapedForTerminal().wrapped(to: style.width - 6).prefix(3).map {
        "    " + style.text("! " + $0, OutputStyle.Face.caution)
      }
    }
  }

  private mutating func addClosedList(_ list: ChoiceList, _ field: FieldState) {
    if field.field.control == .toggle {
      let options = list.labels.indices.map { index in
        (index == list.selected ? "(•) " : "( ) ") + list.labels[index]
      }
      lines.append("    " + options.joined(separator: "   "))
    } else {
      let chosen = list.chosen
      // No more labels fit a line.
      let text = chosen.prefix(style.width).map { list.labels[$0].escapedForTerminal() }.joined(separator: ", ")
      lines.append("    " + (chosen.isEmpty ? style.text("nothing selected", .dim) : text.cut(to: style.width - 6)))
    }
  }

  private mutating func addOpenList(_ list: ChoiceList) {
    if list.isLong { addInput("    find: ", list.filter, LineEditor(list.filter), hasCursor: true) }
    let matches = list.matches
    let place = list.marked.flatMap(matches.firstIndex) ?? 0
    let first = max(0, min(place - listRows / 2, matches.count - listRows))
    for index in matches.dropFirst(first).prefix(listRows) {
      let box = list.checked.map { $0.contains(index) ? "[x] " : "[ ] " } ?? ""
      let key = list.isLong ? "" : "\(index + 1)  "
      let text = list.labels[index].escapedForTerminal().cut(to: style.width - 14)
      let isChosen = index == list.marked
      lines.append(
        "    " + (isChosen ? "› " : "  ") + box + style.text(key, .dim) + style.text(text, isChosen ? [.reverse] : []))
    }
    if matches.isEmpty { lines.append("      " + style.text("no matches", .dim)) }
    var notes = matches.count > listRows ? [Self.position(in: list)] : []
    if let checked = list.checked {
      let hidden = checked.subtracting(matches).sorted().prefix(style.width).map { list.labels[$0].escapedForTerminal() }
      notes.append("\(checked.count) chosen" + (hidden.isEmpty ? "" : ", not in this list: " + hidden.joined(separator: ", ")))
    }
    if !notes.isEmpty { lines.append("      " + style.text(notes.joined(separator: ", ").cut(to: style.width - 7), .dim)) }
  }

  /// The place of the marked choice among those that match, such as `7 of 40`.
  private static func position(in list: ChoiceList) -> String {
    let matches = list.matches
    return list.marked.flatMap(matches.firstIndex).map { "\($0 + 1) of \(matches.count)" } ?? "\(matches.count)"
  }

  /// Adds an input line. Text that does not fit scrolls out on the left, so that the cursor stays visible.
  private mutating func addInput(_ margin: String, _ text: String, _ editor: LineEditor, hasCursor: Bool = true) {
    let room = max(4, style.width - margin.columns - 1)
    let before = editor.before.escapedForTerminal().keptAtEnd(room)
    let after = editor.after.escapedForTerminal().cut(to: max(1, room - before.columns))
    if hasCursor { cursor = Frame.Cursor(row: lines.count, prefix: margin + before) }
    lines.append(margin + before + after)
  }
}

extension LineEditor {
  package var masked: LineEditor {
    var masked = LineEditor(String(repeating: "•", count: text.count))
    for _ in after { _ = masked.handle(.left) }
    return masked
  }
}

extension String {
  /// Returns the end of the text in at most `columns` columns, with an ellipsis if something was cut.
  fileprivate func keptAtEnd(_ columns: Int) -> String {
    guard self.columns > columns else { return self }
    var kept: [Character] = []
    var used = 1
    for character in reversed() {
      used += String(character).columns
      guard used <= columns else { break }
      kept.append(character)
    }
    return "…" + String(kept.reversed())
  }
}
