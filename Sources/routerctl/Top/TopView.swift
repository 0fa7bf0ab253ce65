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
    // Leaves the last row empty, so that drawing never scrolls the terminal.
    rows = max(size.rows, Self.minimumRows) - 1
    self.users = users
  }

  /// Returns the frame, with the timeline's scroll position clamped to its length.
  var frame: Frame {
    let room = rows - 2
    if let story = state.story {
      let lines = story.lines.flatMap { $0.wrapped(to: style.width) }
      let scroll = max(0, min(story.scroll, lines.count - room))
      let seen = Array(lines[scroll..<min(lines.count, scroll + room)])
      return Frame(lines: [head] + seen + padding(room - seen.count) + [foot], scroll: scroll)
    }
    if let place = state.grant {
      let lines = grants(place, room: room)
      return Frame(lines: [head] + lines + padding(room - lines.count) + [foot])
    }
    // With few lines, draws only the current section.
    let isSmall = room < 10
    let seats = isSmall ? [] : seats(room: max(2, room / 5))
    // The queue gets up to half of the lines; ended prompts get the rest.
    let share = (room - seats.count) * (state.section == .queue ? 3 : 2) / 5
    let forQueue = isSmall ? (state.section == .queue ? room : 0) : max(3, min(state.groups(.queue).lines.count + 3, share))
    let queue =
      section(
        "QUEUE", .queue, PresentationTable.Column.open, rows: forQueue,
        empty: state.data.queue.isEmpty ? "Queue empty." : "No prompts match the filter.")
      + (isSmall ? [] : pauses)
    let recent = section(
      "ENDED", .recent, PresentationTable.Column.ended, rows: max(0, room - seats.count - queue.count),
      empty: state.data.recent.map { $0.isEmpty ? "No prompts have ended yet." : "No prompts match the filter." }
        ?? "Requires the role audit.")
    let lines = queue + seats + recent
    return Frame(lines: [head] + lines.prefix(room) + padding(room - lines.count) + [foot])
  }

  private func padding(_ count: Int) -> [String] { Array(repeating: "", count: max(0, count)) }

  private var head: String {
    let data = state.data
    var words = ["routerd \(data.version)".trimmingWhiteSpace]
    let uptime = data.uptime.map { "up \($0.brief)" }
    words += [uptime].compactMap(\.self)
    if data.switched.isOff { words.insert("Router is \(data.switched.words(now: state.now))", at: 0) }
    words += ["\(data.shown) shown", data.waiting.waitingText.isEmpty ? "0 queued" : data.waiting.waitingText]
    words.append(String(counting: data.seats.count, "presenter"))
    if !data.grants.isEmpty { words.append("\(data.grants.count) remembered" + (lastRefusal.map { ", refused \($0)" } ?? "")) }
    let time = String(LocalTime.system.text(state.now).suffix(8)) + " "
    let room = max(1, style.width - time.columns - 1)
    if words.joined(separator: " · ").columns >= room { words.removeAll { $0 == uptime } }
    let text = (" " + (data.failure?.escapedForTerminal() ?? words.joined(separator: " · "))).cut(to: room)
    let gap = String(repeating: " ", count: max(1, style.width - text.columns - time.columns))
    return style.text(text + gap + time, data.failure == nil ? [.reverse] : [.reverse, .red])
  }

  /// When a remembered "no" was last used, within a day: nobody saw it.
  private var lastRefusal: String? {
    let last = state.data.grants.filter(\.grant.isRefusal).compactMap(\.lastUse).max()
    return last.flatMap { state.now.duration(since: $0) < .seconds(86_400) ? $0.relative(to: state.now) : nil }
  }

  private var foot: String {
    if let question = state.question {
      return style.text(question.text.escapedForTerminal().cut(to: style.width - 8) + " (y/n)", OutputStyle.Face.caution)
    }
    if let notice = state.notice {
      return style.text(("! " + notice.escapedForTerminal()).cut(to: style.width), OutputStyle.Face.caution)
    }
    if state.isFiltering {
      return "/\(state.filter.text.escapedForTerminal())▏  Enter keeps it, Esc clears it".cut(to: style.width)
    }
    var words = ["g remembered", "r rules", "/ filters", "Tab", "q quits"]
    switch state.section {
    case .queue:
      words.insert(
        contentsOf: ["Enter answers", "s snoozes", "+ first", "p pauses", "d closes", "w withdraws", "t timeline"], at: 0)
    case .recent: words.insert("Enter: timeline", at: 0)
    }
    if state.grant != nil { words = ["u takes it back", "r rules", "↑↓ select", "Esc: back"] }
    if state.story != nil { words = ["↑↓ scroll", "Esc: back"] }
    if state.story == nil, state.grant == nil, !state.filter.text.isEmpty {
      words.insert("filter: \(state.filter.text.escapedForTerminal())", at: 0)
    }
    for word in [
      "Tab", "/ filters", "r rules", "t timeline", "w withdraws", "p pauses", "g remembered", "+ first", "s snoozes",
      "d closes",
    ]
    where words.joined(separator: " · ").columns > style.width {
      words.removeAll { $0 == word }
    }
    return style.text(words.joined(separator: " · ").cut(to: style.width), .dim)
  }

  // MARK: Sections

  /// Returns the lines of the remembered answers, with one selected.
  private func grants(_ place: Int, room: Int) -> [String] {
    let title = style.rule("REMEMBERED \(state.data.grants.count)", limit: style.width)
    guard !state.data.grants.isEmpty else { return [title, style.text("  No answers are remembered.", .dim)] }
    var inner = style
    inner.width -= 2
    let table = Grants.lines(state.data.grants, inner, now: state.now)
    let rows = table.dropFirst().enumerated().map { index, row in
      index == place ? style.text("› " + row, .reverse) : "  " + row
    }
    let space = max(1, room - 2)
    return [title, "  " + table[0]] + rows[max(0, min(place - space / 2, rows.count - space))...].prefix(space)
  }

  private func section(
    _ name: String, _ section: TopState.Section, _ columns: [PresentationTable.Column], rows: Int, empty: String
  ) -> [String] {
    guard rows > 0 else { return [] }
    let isCurrent = state.section == section
    let groups = state.groups(section)
    let listed = groups.prompts
    let order = state.isGrouped ? groups.haveHeadings ? "o: queue order" : "" : "o: by session"
    var inner = style
    inner.width -= 2
    func cells(_ presentation: Presentation) -> PresentationCells {
      PresentationCells(
        presentation: presentation, zone: .system, users: users, now: state.now, style: inner, marksUnreported: true)
    }
    let legend = section == .queue ? order : PresentationCells.legend(of: listed.map(cells)) ?? ""
    let hasRoom = legend.columns + name.columns + 16 <= style.width
    let title = style.rule("\(name) \(listed.count)", hasRoom ? legend : "", limit: style.width)
    let heading = isCurrent ? title : style.text(title, .dim)
    guard !listed.isEmpty else { return Array([heading, style.text("  " + empty, .dim)].prefix(rows)) }
    let table = PresentationTable(groups.columns(columns), fitting: listed.map(cells), style: inner, isAll: true)
    let selected = state.place(in: section).map { listed[$0].id }
    func isSelected(_ line: SessionGroups.Line) -> Bool {
      if case .prompt(let presentation) = line { presentation.id == selected } else { false }
    }
    let lines = groups.lines
    let room = max(1, rows - 2)
    let first = max(0, min((lines.firstIndex(where: isSelected) ?? 0) - room / 2, lines.count - room))
    var shown = Array(lines[first...].prefix(room))
    // Keeps the heading of a scrolled group, if there is room for a row of the group and for the selected prompt.
    if room > 1, !shown[0].isHeading, let above = lines[..<first].last(where: \.isHeading) {
      shown.insert(above, at: 0)
      if shown.count > room { shown.remove(at: isSelected(shown[room]) ? 1 : room) }
      if shown[1].isHeading { shown.removeFirst() }
    }
    if shown.count > 1, shown[shown.count - 1].isHeading { shown.removeLast() }
    let drawn = shown.map { line in
      switch line {
      case .heading(let prompts): return cells(prompts[0]).heading(of: prompts.count)
      case .prompt(let presentation):
        let cells = cells(presentation)
        return isCurrent && presentation.id == selected
          ? style.text("› " + table.plain(cells), .reverse) : "  " + table.row(cells)
      }
    }
    return Array(([heading, "  " + table.heading] + drawn).prefix(rows))
  }

  /// The paused sessions, in the available lines.
  private var pauses: [String] {
    state.data.pauses.prefix(3).map { pause in
      let isLong = pause.words(now: state.now).columns > style.width - 2
      return "  " + (isLong ? pause.words(now: state.now).cut(to: style.width - 2) : pause.words(style, now: state.now))
    }
  }

  private func seats(room: Int) -> [String] {
    let seats = state.data.seats
    let title = style.text(style.rule("PRESENTERS \(seats.count)", limit: style.width), .dim)
    guard !seats.isEmpty else {
      return [title, style.text("  No presenters. Press Enter to answer a prompt here, or run routerctl present.", .dim)]
    }
    var table = Table(heading: [""], flexible: 0)
    table.rows = seats.prefix(max(1, room - 1)).map { seat in
      let presenter = seat.presenter
      let facts = [
        "  " + presenter.name, "on " + seat.surface, users[presenter.uid], "since \(presenter.since.relative(to: state.now))",
      ]
      return [facts.joined(separator: "  ")]
    }
    if seats.count > table.rows.count {
      table.rows[table.rows.count - 1] = ["  and \(seats.count - table.rows.count + 1) more"]
    }
    return [title] + table.lines(style).dropFirst()
  }
}
