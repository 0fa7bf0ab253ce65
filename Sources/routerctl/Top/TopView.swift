import Router
import RouterCommandLine

/// Draws `routerctl top` for a terminal size: the daemon's status, the queue, the presenters, ended prompts and the keys.
struct TopView {
  let state: TopState
  let style: OutputStyle
  let rows: Int
  let users: UserNames

  static let minimumRows = 8

  init(_ state: TopState, size: ScreenSize, hasColor: Bool, users: UserNames = .system) {
    self.state = state
    style = OutputStyle(isTerminal: true, hasColor: hasColor, width: max(size.columns, PromptView.minimumColumns))
    // Leave the last row empty, so that drawing never scrolls the terminal.
    rows = max(size.rows, Self.minimumRows) - 1
    self.users = users
  }

  /// Returns the frame, and the timeline's scroll position limited to its length.
  var frame: Frame {
    let room = rows - 2
    if let story = state.story {
      let lines = story.lines.flatMap { $0.wrapped(to: style.width) }
      let scroll = max(0, min(story.scroll, lines.count - room))
      let seen = Array(lines[scroll..<min(lines.count, scroll + room)])
      return Frame(lines: [head] + seen + padding(room - seen.count) + [foot], scroll: scroll)
    }
    // With few lines, only the current section is drawn.
    let isSmall = room < 10
    let seats = isSmall ? [] : seats(room: max(2, room / 5))
    // The queue takes up to half of the lines; ended prompts get the rest.
    let share = (room - seats.count) * (state.section == .queue ? 3 : 2) / 5
    let forQueue = isSmall ? (state.section == .queue ? room : 0) : max(3, min(queueTable.rows.count + 3, share))
    let queue = section("QUEUE", .queue, queueTable, rows: forQueue, empty: "Queue empty.")
    let recent = section(
      "ENDED", .recent, recentTable, rows: max(0, room - seats.count - queue.count),
      empty: state.data.recent == nil ? "Requires the role audit." : "No prompts have ended yet.")
    let lines = queue + seats + recent
    return Frame(lines: [head] + lines.prefix(room) + padding(room - lines.count) + [foot])
  }

  private func padding(_ count: Int) -> [String] { Array(repeating: "", count: max(0, count)) }

  private var head: String {
    let data = state.data
    var words = ["routerd \(data.version)".trimmingWhiteSpace]
    if let uptime = data.uptime { words.append("up \(uptime.brief)") }
    words += ["\(data.shown) shown", data.waiting.waitingText.isEmpty ? "0 queued" : data.waiting.waitingText]
    words.append("\(data.seats.count) \(data.seats.count == 1 ? "presenter" : "presenters")")
    let left = data.failure.map { " " + $0.escapedForTerminal() } ?? " " + words.joined(separator: " · ")
    let time = String(LocalTime.system.text(state.now).suffix(8)) + " "
    let text = left.cut(to: max(1, style.width - time.columns - 1))
    let gap = String(repeating: " ", count: max(1, style.width - text.columns - time.columns))
    return style.text(text + gap + time, data.failure == nil ? [.reverse] : [.reverse, .red])
  }

  private var foot: String {
    if let question = state.question {
      return style.text(question.text.escapedForTerminal().cut(to: style.width - 8) + " (y/n)", .yellow)
    }
    if let notice = state.notice { return style.text(("! " + notice.escapedForTerminal()).cut(to: style.width), .yellow) }
    if state.isFiltering {
      return "/\(state.filter.text.escapedForTerminal())▏  Enter keeps it, Esc clears it".cut(to: style.width)
    }
    var words =
      state.story == nil
      ? ["Enter answers", "d closes", "w withdraws", "s timeline", "/ filters", "Tab", "q quits"] : ["↑↓ scroll", "Esc: back"]
    if state.story == nil, !state.filter.text.isEmpty {
      words.insert("filter: \(state.filter.text.escapedForTerminal())", at: 0)
    }
    return style.text(words.joined(separator: " · ").cut(to: style.width), .dim)
  }

  // MARK: Sections

  private func section(_ name: String, _ section: TopState.Section, _ table: Table, rows: Int, empty: String) -> [String] {
    guard rows > 0 else { return [] }
    let isCurrent = state.section == section
    let title = style.rule("\(name) \(table.rows.count)", limit: style.width)
    let heading = isCurrent ? title : style.text(title, .dim)
    guard !table.rows.isEmpty else { return Array([heading, style.text("  " + empty, .dim)].prefix(rows)) }
    let lines = table.lines(style)
    let place = state.place(in: section) ?? 0
    let room = max(1, rows - 2)
    let first = max(0, min(place - room / 2, table.rows.count - room))
    let shown = (first..<min(table.rows.count, first + room)).map { index in
      let line = (isCurrent && index == place ? "›" : " ") + lines[index + 1].dropFirst()
      return isCurrent && index == place
        ? style.text(line, .reverse) : style.text(line, face(of: state.rows(section)[index]).map { [$0] } ?? [])
    }
    return Array(([heading, lines[0]] + shown).prefix(rows))
  }

  private func face(of presentation: Presentation) -> OutputStyle.Face? {
    if presentation.state == .presented { return .bold }
    return presentation.outcome == nil ? nil : .of(presentation.outcome?.name, presentation.answerKind)
  }

  private typealias Column = (heading: String, isOptional: Bool, text: (Presentation) -> String)

  private var queueTable: Table {
    table(
      .queue,
      [
        ("  ASKED", false, { "  " + $0.requestedAt.relative(to: state.now) }), ("STATE", false, { $0.ending }),
        ("PRIORITY", true, { $0.request.priority.rawValue }), ("USER", true, user), ("APP", false, app),
        ("SURFACE", true, { $0.request.surface.cut(to: 12) }), ("TITLE", false, { $0.request.heading }),
      ])
  }

  private var recentTable: Table {
    table(
      .recent,
      [
        ("  ENDED", false, { "  " + ($0.resolvedAt ?? $0.requestedAt).relative(to: state.now) }),
        ("ANSWER", false, { $0.ending.cut(to: max(12, style.width / 4)) }),
        ("BY", style.width < 60, { ($0.resolvedBy.map { $0.presenter ?? users[$0.process] } ?? "").cut(to: 12) }),
        ("USER", true, user), ("APP", false, app), ("TITLE", false, { $0.request.heading }),
      ])
  }

  private func user(_ presentation: Presentation) -> String { users[presentation.requester.process].cut(to: 12) }
  private func app(_ presentation: Presentation) -> String { presentation.requester.app.cut(to: 20) }

  /// Omits columns that are the same in all rows, and optional columns if there is little room.
  private func table(_ section: TopState.Section, _ columns: [Column]) -> Table {
    let rows = state.rows(section)
    let kept = columns.filter { column in
      !column.isOptional || (style.width >= 60 && Set(rows.map(column.text)).count > 1)
    }
    var table = Table(heading: kept.map(\.heading), flexible: kept.count - 1)
    table.rows = rows.map { row in kept.map { $0.text(row) } }
    return table
  }

  private func seats(room: Int) -> [String] {
    let seats = state.data.seats
    let title = style.text(style.rule("PRESENTERS \(seats.count)", limit: style.width), .dim)
    guard !seats.isEmpty else {
      return [title, style.text("  No presenters. Press Enter to answer a prompt here, or run routerctl present.", .dim)]
    }
    var table = Table(heading: [""], flexible: 0)
    table.rows = seats.prefix(max(1, room - 1)).map { seat in
      let facts: [String?] = [
        "  " + seat.name, "on " + seat.surface, seat.uid.map { users[$0] }, seat.pid.map { "pid \($0)" },
        seat.since.map { "since \($0.relative(to: state.now))" },
      ]
      return [facts.compactMap(\.self).joined(separator: "  ")]
    }
    if seats.count > table.rows.count {
      table.rows[table.rows.count - 1] = ["  and \(seats.count - table.rows.count + 1) more"]
    }
    return [title] + table.lines(style).dropFirst()
  }
}
