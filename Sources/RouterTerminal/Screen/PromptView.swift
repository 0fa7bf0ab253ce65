import RouterCore

/// Renders a prompt for a terminal of a given size. The requester's text never starts in the first column, so that it cannot
/// imitate the focus marks or the lines that name the requester.
package struct PromptView {
  let state: PromptState
  let style: OutputStyle
  let rows: Int

  /// The minimum height for drawing; a smaller terminal does not show all of it.
  package static let minimumRows = 8
  static let fewRows = 12
  /// The number of rows below which decorations are reduced in favor of the text.
  private static let manyRows = 16
  /// The minimum number of rows for the text, before controls other than the buttons get more rows.
  private static let rowsOfText = 10
  package static let minimumColumns = 20
  static let maximumColumns = 100

  package init(_ state: PromptState, size: ScreenSize, hasColor: Bool) {
    self.state = state
    style = .prompt(columns: size.columns, hasColor: hasColor)
    // Leaves the last row empty, so that drawing never scrolls the terminal.
    rows = max(size.rows, Self.minimumRows) - 1
  }

  package var frame: Frame {
    guard !state.hasSeenAll else { return draw(hasSeenAll: true) }
    // The row of the choice that Enter selects may replace the end of the text.
    var read = state
    read.hasSeenAll = true
    let frame = PromptView(read, style: style, rows: rows).draw(hasSeenAll: false)
    return frame.hasSeenAll ? frame : draw(hasSeenAll: false)
  }

  private init(_ state: PromptState, style: OutputStyle, rows: Int) {
    (self.state, self.style, self.rows) = (state, style, rows)
  }

  /// - Parameter hasSeenAll: Whether the end of the text was on the screen before.
  private func draw(hasSeenAll: Bool) -> Frame {
    // A small terminal shows fewer decorations, to leave room for the prompt.
    let isSmall = rows < Self.manyRows
    let asker = style.asker(of: state.prompt, isDetailed: state.isDetailed, maximumRows: isSmall ? 1 : 2)
    let head = [style.rule(of: state)] + asker.prefix(rows < Self.fewRows ? 2 : rows / 2)
    var foot = notice + (rows < Self.fewRows ? [] : [clock])
    var room = max(2, rows - head.count - foot.count - 1)
    let listRows = max(PromptControls.listRows, room / 2 - 2 * state.fields.count)
    var controls = PromptControls(state, style: style, listRows: listRows, isWhole: true)
    var (text, exactEnd) = text(isDetailed: state.isDetailed)
    if text.count + controls.lines.count > room {
      if isSmall, foot.count > notice.count {
        foot.removeLast()
        room += 1
      }
      // If the text must be scrolled anyway, shows the details without another key.
      (text, exactEnd) = self.text(isDetailed: true)
      if !state.isDetailed { controls = PromptControls(state, style: style, listRows: listRows) }
    }
    var forControls = controls.lines.count
    if text.count + forControls > room {
      // Shrinks the text first, because it can be scrolled, but keeps the rows of a command, unless a label needs them.
      let most = controls.leastRows.map { max($0, room - Self.rowsOfText) } ?? room * 2 / 3
      let least = min(controls.markedRows + 1, room - 1)
      forControls = min(forControls, max(room - text.count, min(most, room * 2 / 3), least, 1))
    }
    let forText = min(text.count, max(1, room - forControls))
    let (seen, scroll) = visible(text, rows: forText)
    let isAtEnd = scroll + seen.count - (seen.count < text.count ? 1 : 0) >= exactEnd
    var window = controls.window(rows: forControls)
    window.cursor?.row += head.count + seen.count
    foot.append(hints(areControlsCut: forControls < controls.lines.count, readsOn: state.readsOn(cut: window.cut)))
    return Frame(
      lines: head + seen + window.lines + foot, cursor: window.cursor, scroll: scroll, page: max(1, forText - 2),
      hasSeenAll: hasSeenAll || isAtEnd, cut: window.cut)
  }

  private func text(isDetailed: Bool) -> (lines: [String], exactEnd: Int) {
    let (own, ownEnd) = style.text(of: state.prompt, below: state.parents, isDetailed: isDetailed)
    let others = state.batch.shown.flatMap { style.text(ofOther: $0) }
    let lines = own[..<ownEnd] + others + own[ownEnd...]
    let exactEnd = ownEnd + others.count
    return (lines + [style.bar("")] + progress, exactEnd)
  }

  private var progress: [String] {
    guard let (fraction, label) = state.progress else { return [] }
    let share = "\(Int((fraction * 100).rounded()))%".padded(to: 4)
    let line = Bar.text(fraction, columns: 12, track: "░") + " " + share + " " + (label ?? "").escapedForTerminal()
    return [style.bar(line.cut(to: style.width - 4)), style.bar("")]
  }

  /// Returns the visible part of the text.
  private func visible(_ text: [String], rows: Int) -> (lines: [String], scroll: Int) {
    guard text.count > rows else { return (text, 0) }
    let room = max(1, rows - 1)
    let scroll = min(max(state.scroll, 0), text.count - room)
    let below = text.count - room - scroll
    let more = below > 0 ? "\(String(counting: below, "more line")): PgDn" : "PgUp scrolls back"
    return (
      text[scroll..<scroll + room] + (rows > 1 ? [style.text("(\(more))".cut(to: style.width), OutputStyle.Face.caution)] : []),
      scroll
    )
  }

  private var notice: [String] {
    guard let notice = state.notice else { return [] }
    return notice.escapedForTerminal().wrapped(to: style.width - 2).prefix(rows < Self.fewRows ? 1 : 3).map {
      style.text("! " + $0, OutputStyle.Face.caution)
    }
  }

  private var clock: String {
    var words = ["asked \(state.presentation.requestedAt.relative(to: state.now))"]
    if let expiry = state.expiry { words.append("expires in \(max(.zero, expiry.duration(since: state.now)).brief)") }
    if state.presentation.generation > 1 { words.append("shown for the \(state.presentation.generation.ordinal) time") }
    let text = words.joined(separator: " · ")
    return style.text(
      (text.columns <= style.width ? text : words.prefix(2).joined(separator: " · ")).cut(to: style.width), .dim)
  }

  /// The action of Escape.
  private var escape: String? {
    if state.escapeLeavesRow { return "back" }
    return switch state.escapeStop {
    case .button(let index): state.prompt.buttons[index].label.escapedForTerminal().cutInMiddle(to: style.width / 2)
    case .close: state.prompt.closing.label.lowercased()
    case nil: state.goesBack ? "back" : nil
    default: nil
    }
  }

  /// - Parameters:
  ///   - areControlsCut: Whether moving the focus reveals more controls.
  ///   - readsOn: Whether Enter scrolls.
  private func hints(areControlsCut: Bool, readsOn: Bool) -> String {
    guard state.isArmed else { return style.text("▒▒▒▒ one moment ▒▒▒▒", OutputStyle.Face.caution) }
    let enter = readsOn ? "Enter: read on" : "Enter presses"
    var words: [String]
    switch state.focus {
    case .field(let index) where state.fields[index].field.control == .choice:
      words = ["↑↓ choose", index == state.fields.count - 1 ? "Enter answers" : "Enter: next", "Tab moves"]
    case .field(let index) where state.fields[index].field.control == .multipleChoice:
      words = ["Space chooses", index == state.fields.count - 1 ? "Enter answers" : "Enter: next", "type to find", "Tab moves"]
    case .field(let index) where state.fields[index].field.control == .toggle: words = ["Space changes", "Enter: next"]
    case .field(let index) where index == state.fields.count - 1: words = ["Enter answers", "Tab moves"]
    case .field: words = ["Enter: next", "Tab moves"]
    case .row(let row): words = row.control(in: state).hints + ["Tab moves"]
    case .button, .submit, .close, .anyJSON, nil:
      words = [state.buttons.isLong ? "type to find" : areControlsCut ? "↑↓ more" : "↑↓ choose", enter]
      if state.focus == .anyJSON { words = ["Enter answers", "Tab moves"] }
    }
    if readsOn { words = [enter] + words.filter { !$0.hasPrefix("Enter") } }
    if !state.isTyping { words.append(state.isDetailed ? "? shows less" : "? shows more") }
    if let escape { words.append("Esc: \(escape)") }
    // The hint for hiding details is dropped later than hints that a person can guess.
    while words.count > 1, words.joined(separator: " · ").columns > style.width {
      let last = words.count - 2
      words.remove(at: state.isDetailed && last > 1 ? last - 1 : last)
    }
    return style.text(words.joined(separator: " · ").cut(to: style.width), .dim)
  }
}

extension OutputStyle {
  /// Returns the line above a prompt: its surface, the session of the requesting agent, and the number of waiting prompts.
  func rule(of state: PromptState) -> String {
    let waiting = state.waiting.waitingText
    guard let face = state.presentation.sessionFace else {
      return rule(state.request.surface.escapedForTerminal().cut(to: max(4, width - 24)), waiting)
    }
    // The session is shown even with little room.
    let room = width - (waiting.isEmpty ? 0 : waiting.columns + 4) - 9
    let surface = state.request.surface.escapedForTerminal().cut(to: max(1, room / 4))
    let name = RequesterName(state.presentation).text(to: max(4, room - surface.columns))
    let start = "━━ \(surface) · "
    let end = waiting.isEmpty ? "" : " \(waiting) ━━"
    let count = max(1, width - start.columns - name.columns - 1 - end.columns)
    return text(start, .magenta) + text(name, face, .bold) + text(" " + String(repeating: "━", count: count) + end, .magenta)
  }

  /// Returns the style of a prompt on a screen.
  static func prompt(columns: Int, hasColor: Bool) -> OutputStyle {
    let width = min(max(columns, PromptView.minimumColumns), PromptView.maximumColumns)
    return OutputStyle(isTerminal: true, hasColor: hasColor, width: width)
  }
}

extension Int {
  /// The number as an ordinal, such as "2nd".
  var ordinal: String {
    let rest = self % 100
    let endings = [1: "st", 2: "nd", 3: "rd"]
    return "\(self)" + ((11...13).contains(rest) ? "th" : endings[rest % 10] ?? "th")
  }
}
