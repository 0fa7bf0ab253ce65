import RouterCore

/// Renders the current buttons and fields as lines.
struct PromptControls {
  /// The minimum number of visible rows of an open list.
  static let listRows = 6

  /// The number of lines of buttons to render on each side of the selected one, before selecting those that fit.
  private static let reach = 200

  private let state: PromptState
  private let style: OutputStyle
  private let listRows: Int
  /// Whether to show all labels in full, not only that of the focused control.
  private let isWhole: Bool
  private(set) var lines: [String] = []
  /// The cursor, with its row relative to the first of these lines.
  private(set) var cursor: Frame.Cursor?
  /// The lines of the focused control.
  private var focused = 0..<1
  /// The lines of the choice that Enter selects, within the focused control; `nil` if it has no label.
  private var marked: Range<Int>?
  /// The lines of each button.
  private var places: [Int: Range<Int>] = [:]
  /// The buttons with truncated labels.
  private var cut: Set<Int> = []

  init(_ state: PromptState, style: OutputStyle, listRows: Int = Self.listRows, isWhole: Bool = false) {
    self.state = state
    self.style = style
    self.listRows = listRows
    self.isWhole = isWhole && !state.buttons.isLong
    if state.buttons.isLong {
      addInput("  find (\(Self.position(in: state.buttons))): ", state.buttons.filter, LineEditor(state.buttons.filter))
      if state.buttons.matches.isEmpty { lines.append(style.text("  no matches", .dim)) }
    }
    // Renders only buttons that may be visible, since a list may have thousands.
    let stops = state.stops
    let place = state.focus.flatMap(stops.firstIndex) ?? 0
    for stop in stops[max(0, place - Self.reach)..<min(stops.count, place + Self.reach)] { add(stop) }
  }

  /// The number of rows of the choice that Enter selects.
  var markedRows: Int { marked?.count ?? 0 }

  /// The rows of the buttons; `nil` without buttons, or if they are searchable.
  private var buttonRows: Int? {
    guard !state.prompt.buttons.isEmpty, !state.buttons.isLong else { return nil }
    return places.values.map(\.upperBound).max()
  }

  /// The rows of the buttons, and of the focused control below them; `nil` without buttons, or if they are searchable.
  var leastRows: Int? { buttonRows.map { $0 + (focused.lowerBound < $0 ? 0 : focused.count) } }

  /// The lines that fit, including the focused control.
  struct Window {
    var lines: [String]
    /// The cursor, with its row relative to the first of these lines.
    var cursor: Frame.Cursor?
    /// The controls with labels that are truncated in these lines.
    var cut: Set<PromptState.Stop>
  }

  func window(rows: Int) -> Window {
    let visible = lines.count > rows ? visible(rows: rows) : [lines.indices]
    var cursor: Frame.Cursor?
    var shown: [String] = []
    for range in visible {
      if let own = self.cursor, range.contains(own.row) {
        cursor = Frame.Cursor(row: shown.count + own.row - range.lowerBound, prefix: own.prefix)
      }
      shown += lines[range]
    }
    func isVisible(_ lines: Range<Int>) -> Bool {
      visible.contains { $0.lowerBound <= lines.lowerBound && lines.upperBound <= $0.upperBound }
    }
    var unseen = Set(places.filter { cut.contains($0.key) || !isVisible($0.value) }.map { PromptState.Stop.button($0.key) })
    if let focus = state.focus, let marked {
      // The end of a label higher than the screen is shown after its beginning.
      let isRead = visible.contains { $0.contains(marked.upperBound - 1) } && (isVisible(marked) || state.labelScroll > 0)
      if isRead { unseen.remove(focus) } else { unseen.insert(focus) }
    }
    return Window(lines: shown, cursor: cursor, cut: unseen)
  }

  /// Returns the visible lines for a limited number of rows.
  private func visible(rows: Int) -> [Range<Int>] {
    // The buttons, or the search text of a long list of buttons, stay visible above the rest.
    let pinned = state.buttons.isLong ? (rows > 1 ? 1 : 0) : leastRows.map { $0 > rows ? 0 : buttonRows ?? 0 } ?? 0
    let room = rows - pinned
    guard let marked, focused.count > room, focused.lowerBound >= pinned else {
      let wanted = focused.count > room ? focused.lowerBound : focused.lowerBound - (room - focused.count) / 2
      let first = max(pinned, min(wanted, lines.count - room))
      return [0..<pinned, first..<first + room]
    }
    // For a control higher than the screen: its label, and the choice that Enter selects.
    let label = marked.lowerBound > focused.lowerBound && room > 1 ? 1 : 0
    let space = room - label
    let scrolled = marked.lowerBound + min(state.labelScroll, max(0, marked.count - space))
    let first = min(max(focused.lowerBound + label, marked.upperBound - space), scrolled)
    return [0..<pinned, focused.lowerBound..<focused.lowerBound + label, first..<first + space]
  }

  private mutating func add(_ stop: PromptState.Stop) {
    let start = lines.count
    let isFocused = state.focus == stop
    switch stop {
    case .button(let index):
      addButton(index, isFocused)
      places[index] = start..<lines.count
      if isFocused { marked = start..<lines.count }
    case .field(let index): addField(state.fields[index], isFocused)
    case .anyJSON:
      addLabel("Answer, as JSON", isFocused, "")
      addInput("    ", state.anyJSON.text, state.anyJSON, hasCursor: isFocused)
    case .row(let row): addRow(row.control(in: state), isFocused)
    case .submit: addPlain(state.prompt.submitLabel ?? "Answer", key: "", isFocused)
    case .close:
      addPlain(state.prompt.closing.label, key: state.escapeStop == .close ? "esc" : "", isFocused)
    }
    if isFocused { focused = start..<lines.count }
  }

  private func mark(_ isFocused: Bool) -> String { isFocused ? style.text("› ", .magenta) : "  " }

  private mutating func addRow(_ control: PromptRowControl, _ isFocused: Bool) {
    switch control.look {
    case .check(let isOn, let label):
      addPlain((control.isPartOfOther ? "  " : "") + (isOn ? "[x] " : "[ ] ") + label, key: "", isFocused)
    case .choice(let label, let value): addChoice(label, value, isFocused)
    case .text(let label, let input, let hint) where isFocused:
      addLabel(label, true, hint)
      addInput("    ", input.text, input)
    case .text(let label, let input, _): addPlain(input.text.isEmpty ? label : "\(label): \(input.text)", key: "", false)
    }
  }

  private mutating func addPlain(_ text: String, key: String, _ isFocused: Bool) {
    addRow(text.escapedForTerminal(), key: key, faces: isFocused ? [.reverse] : [], isFocused)
  }

  /// Adds a row, in full if it has the focus or if all rows are full, otherwise truncated in the middle. Returns whether it was
  /// truncated.
  @discardableResult private mutating func addRow(
    _ text: String, key: String, note: String = "", suffix: String = "", faces: [OutputStyle.Face], _ isFocused: Bool
  ) -> Bool {
    let start = mark(isFocused) + style.text(key + String(repeating: " ", count: max(0, 5 - key.count)), .dim)
    let width = style.width - 7
    let room = width - note.columns
    guard (text + suffix).columns > room else {
      lines.append(start + style.text(text + suffix, faces) + style.text(note, .dim))
      return false
    }
    guard isFocused || isWhole else {
      lines.append(
        start + style.text((text.cutInMiddle(to: max(8, room - suffix.columns)) + suffix).cut(to: room), faces)
          + style.text(note, .dim))
      return true
    }
    let margin = String(repeating: " ", count: 7)
    let rows = (text + suffix).wrapped(to: width)
    for (index, row) in rows.enumerated() { lines.append((index == 0 ? start : margin) + style.text(row, faces)) }
    if rows[rows.count - 1].columns <= room {
      lines[lines.count - 1] += style.text(note, .dim)
    } else {
      lines.append(margin + style.text(String(note.drop { $0 == " " }), .dim))
    }
    return false
  }

  /// The maximum number of rows of a value changed by the arrow keys.
  private static let valueRows = 8

  /// Adds a value that the arrow keys change, in full.
  private mutating func addChoice(_ name: String, _ value: String, _ isFocused: Bool) {
    var start = mark(isFocused) + "     \(name): "
    var margin = 9 + name.columns
    // Both marks of a value are two columns wide.
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

  private mutating func addButton(_ index: Int, _ isFocused: Bool) {
    let button = state.prompt.buttons[index]
    let digit = state.buttons.isLong ? nil : button.key
    var faces: [OutputStyle.Face] = button.role == .destructive ? [.red] : []
    faces += state.isArmed ? (isFocused ? [.reverse] : []) : [.dim]
    var notes = button.role == .destructive ? [ButtonRole.destructive.rawValue] : []
    if button.isDefault, state.hasSeenAll { notes.append("Enter") }
    if state.escapeStop == .button(index) { notes.append("Esc") }
    var note = notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))"
    if style.width - 7 - note.columns < 8 { note = "" }
    let isUnread = !state.hasSeenAll && button.role != .cancel
    let suffix = isUnread && !button.label.hasSuffix(Self.unread) ? Self.unread : ""
    let isCut = addRow(
      button.label.escapedForTerminal(), key: digit ?? "", note: note, suffix: suffix, faces: faces, isFocused)
    if isCut { cut.insert(index) }
  }

  private static let unread = " without seeing all of it"

  /// Adds the label of a field, in full if it has the focus.
  private mutating func addLabel(_ text: String, _ isFocused: Bool, _ hint: String) {
    let room = style.width - 2
    let text = text.escapedForTerminal()
    let note = hint.isEmpty ? "" : "  (\(hint))"
    if text.columns + note.columns <= room {
      lines.append(mark(isFocused) + style.text(text, .bold) + style.text(note, .dim))
    } else if isFocused {
      let rows = text.wrapped(to: room)
      lines += rows.enumerated().map { ($0 == 0 ? mark(true) : "  ") + style.text($1, .bold) }
      lines += hint.isEmpty ? [] : "(\(hint))".wrapped(to: room).map { "  " + style.text($0, .dim) }
    } else {
      let label = text.cutInMiddle(to: hint.isEmpty ? room : max(8, room / 2))
      lines.append(mark(false) + style.text(label, .bold) + style.text(note.cut(to: max(0, room - label.columns)), .dim))
    }
  }

  private mutating func addField(_ field: FieldState, _ isFocused: Bool) {
    let hint = [field.field.isRequired ? "required" : nil, field.field.hint?.escapedForTerminal()].compactMap(\.self)
    addLabel(field.field.label, isFocused, hint.joined(separator: ", "))
    if isFocused, let description = field.field.description {
      let rows = description.escapedForTerminal().wrapped(to: style.width - 4)
      lines += rows.prefix(state.isDetailed ? .max : 4).map { "    " + style.text($0, .dim) }
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
      // No further labels fit in the rows.
      let room = style.width - 6
      let text = chosen.prefix(Self.valueRows * room).map { list.labels[$0].escapedForTerminal() }.joined(separator: ", ")
      let rows = text.cut(to: Self.valueRows * room).wrapped(to: room)
      lines += (chosen.isEmpty ? [style.text("nothing selected", .dim)] : rows).map { "    " + $0 }
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
      let isChosen = index == list.marked
      let start = "    " + (isChosen ? "› " : "  ") + box
      let margin = start.columns + key.columns
      let room = max(4, style.width - margin - 1)
      let label = list.labels[index].escapedForTerminal()
      let rows = isChosen || state.isDetailed ? label.wrapped(to: room) : [label.cutInMiddle(to: room)]
      if isChosen { marked = lines.count..<lines.count + rows.count }
      for (row, text) in rows.enumerated() {
        let start = row == 0 ? start + style.text(key, .dim) : String(repeating: " ", count: margin)
        lines.append(start + style.text(text, isChosen ? [.reverse] : []))
      }
    }
    if matches.isEmpty { lines.append("      " + style.text("no matches", .dim)) }
    var notes = matches.count > listRows ? [Self.position(in: list)] : []
    if let checked = list.checked {
      let hidden = checked.subtracting(matches).sorted().prefix(style.width).map { list.labels[$0].escapedForTerminal() }
      notes.append("\(checked.count) chosen" + (hidden.isEmpty ? "" : ", not in this list: " + hidden.joined(separator: ", ")))
    }
    if !notes.isEmpty { lines.append("      " + style.text(notes.joined(separator: ", ").cut(to: style.width - 7), .dim)) }
  }

  /// The position of the marked choice among the matches, such as `7 of 40`.
  private static func position(in list: ChoiceList) -> String {
    let matches = list.matches
    return list.marked.flatMap(matches.firstIndex).map { "\($0 + 1) of \(matches.count)" } ?? "\(matches.count)"
  }

  /// Adds an input line. Long text scrolls out on the left, so that the cursor stays visible.
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
  /// Returns the end of the text in at most `columns` columns, with an ellipsis if it was truncated.
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
