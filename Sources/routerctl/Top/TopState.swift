import Router

/// The state of `routerctl top`. Keys and data are its input; ``TopView`` draws it.
struct TopState: ScreenState, Sendable {
  enum Section: Sendable, Hashable {
    case queue, recent
  }

  enum Event: Sendable {
    case time(Timestamp)
    case data(TopData, at: Timestamp)
    /// A fetch failed.
    case failure(String)
    case notice(String)
    /// The lines of a prompt's events, or of the rules.
    case story([String])
  }

  /// An action that a key requests.
  enum Action: Sendable, Hashable {
    case quit
    /// Shows the prompt for an answer.
    case open(PresentationID, surface: String)
    /// Applies a change to the prompt, and shows a confirmation.
    case act(Change, done: String)
    case story(PresentationID)
    /// Pauses the prompt's session.
    case pause(PresentationID)
    case endPause(SessionPause)
    case revoke(GrantID)
    case rules
  }

  struct Question: Sendable, Hashable {
    let text: String
    let action: Action
  }

  /// Lines to read, such as the events of one prompt, with the scroll position.
  struct Story: Sendable, Hashable {
    var lines: [String]
    var scroll = 0
  }

  var data = TopData() { didSet { keepSelection() } }
  var now: Timestamp
  private(set) var section = Section.queue
  /// Whether the queue is grouped by session.
  private(set) var isGrouped = true
  /// The selection in each section, which follows its prompt as rows move.
  private var selected: [Section: PresentationID] = [:]
  /// The last position of the selected row, used when its prompt has ended.
  private var places: [Section: Int] = [:]
  private(set) var filter = LineEditor()
  private(set) var isFiltering = false
  private(set) var question: Question?
  var story: Story?
  /// The selected remembered answer, while remembered answers are listed instead of prompts.
  private(set) var grant: Int?
  var notice: String?

  init(now: Timestamp) { self.now = now }

  /// Returns the rows of a section that match the filter, grouped as drawn.
  func groups(_ section: Section) -> SessionGroups {
    let matching = matching(section)
    return section == .queue && isGrouped ? SessionGroups(matching) : SessionGroups(ungrouped: matching)
  }

  /// Returns the rows of a section that match the filter, without headings.
  func rows(_ section: Section) -> [Presentation] { groups(section).prompts }

  private func matching(_ section: Section) -> [Presentation] {
    let all = section == .queue ? data.queue : data.recent ?? []
    let words = filter.text.lowercased().split(at: " ")
    guard !words.isEmpty else { return all }
    return all.filter { row in
      let parts =
        [
          PresentationSummary(row.request).text, row.request.surface, row.request.priority.rawValue, row.id.description,
          row.ending,
        ] + RequesterName(row).parts
      let text = parts.joined(separator: " ").lowercased()
      return words.allSatisfy { text.contains($0) }
    }
  }

  /// Returns the position of the selected row; `nil` in an empty section.
  func place(in section: Section) -> Int? {
    let rows = rows(section)
    return rows.isEmpty ? nil : rows.firstIndex { $0.id == selected[section] } ?? min(places[section] ?? 0, rows.count - 1)
  }

  var current: Presentation? { place(in: section).map { rows(section)[$0] } }

  mutating func handle(_ event: Event) -> Action? {
    switch event {
    case .time(let now): self.now = now
    case .data(let data, let now): (self.data, self.now) = (data, now)
    case .failure(let words): data.failure = words
    case .notice(let text): notice = text
    case .story(let lines): story = Story(lines: lines)
    }
    return nil
  }

  mutating func frame(size: ScreenSize, hasColor: Bool) -> Frame {
    let frame = TopView(self, size: size, hasColor: hasColor).frame
    story?.scroll = frame.scroll
    return frame
  }

  /// Pauses the selected prompt's session, or ends its pause. Without a prompt, ends the only pause.
  private mutating func pause() -> Action? {
    if let current, current.state != .resolved {
      return data.pauses.first { $0.concerns(current) }.map(Action.endPause) ?? .pause(current.id)
    }
    if data.pauses.count == 1 { return .endPause(data.pauses[0]) }
    notice =
      data.pauses.isEmpty ? "Select a prompt of the session to pause." : "Several sessions are paused: run routerctl resume."
    return nil
  }

  mutating func press(_ key: Key) -> Action? {
    notice = nil
    if let question {
      self.question = nil
      if [.text("y"), .text("Y")].contains(key) { return question.action }
      notice = "Canceled."
      return nil
    }
    if story != nil { return read(key) }
    if let grant { return list(key, grant) }
    if isFiltering { return find(key) }
    switch key {
    case .text("q"): return .quit
    case .up, .text("k"): move(by: -1)
    case .down, .text("j"): move(by: 1)
    case .pageUp: move(by: -10)
    case .pageDown: move(by: 10)
    case .home: move(by: -TopData.limit)
    case .end: move(by: TopData.limit)
    case .text("g"): grant = 0
    case .text("o"): isGrouped.toggle()
    case .text("r"): return .rules
    case .text("p"): return pause()
    case .text("u"): return takeBack()
    case .tab, .backTab: section = section == .queue ? .recent : .queue
    case .text("/"): isFiltering = true
    case .escape: filter = LineEditor()
    default: return act(key)
    }
    return nil
  }

  /// A key's action on an open prompt, with its confirmation question and message.
  private struct KeyAction {
    let verb: any Verb
    var question: String?
    let done: String
  }

  private func action(of key: Key) -> KeyAction? {
    switch key {
    case .text("d"): KeyAction(verb: Verbs.Dismiss(), question: "Close without an answer", done: "closed")
    case .text("w"): KeyAction(verb: Verbs.Cancel(), question: "Withdraw", done: "withdrawn")
    case .text("s"):
      KeyAction(
        verb: Verbs.Snooze(for: .seconds(900)),
        done: "snoozed until \(LocalTime.system.minutes(now.advanced(by: .seconds(900)), now: now))")
    case .text("+"): KeyAction(verb: Verbs.Raise(), done: "raised")
    default: nil
    }
  }

  private mutating func act(_ key: Key) -> Action? {
    guard let current else { return nil }
    let isOpen = current.state != .resolved
    switch key {
    case .text("t"): return .story(current.id)
    case .text("s") where isOpen && current.snoozedUntil != nil: notice = "It is snoozed: + shows it now."
    case .enter where !isOpen: return .story(current.id)
    case .enter:
      guard current.isOnTop || isNext(current) else {
        notice = "Another prompt is ahead of it on \(current.request.surface): + shows this one first."
        return nil
      }
      return .open(current.id, surface: current.request.surface)
    default:
      guard let act = action(of: key) else { return nil }
      guard isOpen else {
        notice = "This prompt has already ended."
        return nil
      }
      let action = Action.act(Change(current.id, act.verb), done: act.done)
      guard let question = act.question else { return action }
      ask(question, current, action)
    }
    return nil
  }

  /// Whether a newly attached presenter would show the prompt.
  private func isNext(_ presentation: Presentation) -> Bool {
    data.queue.first { $0.request.surface == presentation.request.surface }?.id == presentation.id
  }

  private mutating func ask(_ verb: String, _ presentation: Presentation, _ action: Action) {
    question = Question(text: "\(verb): \(presentation.request.heading.shortened)", action: action)
  }

  private mutating func read(_ key: Key) -> Action? {
    switch key {
    case .escape, .text("q"), .text("t"), .enter, .left: story = nil
    case .up, .text("k"): story?.scroll -= 1
    case .down, .text("j"): story?.scroll += 1
    case .pageUp: story?.scroll -= 10
    case .pageDown, .text(" "): story?.scroll += 10
    case .home, .text("g"): story?.scroll = 0
    case .end, .text("G"): story?.scroll = Int.max / 2
    default: break
    }
    return nil
  }

  private mutating func list(_ key: Key, _ place: Int) -> Action? {
    let last = max(0, data.grants.count - 1)
    switch key {
    case .escape, .text("q"), .text("g"), .left: grant = nil
    case .up, .text("k"): grant = max(0, place - 1)
    case .down, .text("j"): grant = min(last, place + 1)
    case .home: grant = 0
    case .end: grant = last
    case .text("r"): return .rules
    case .text("u"), .text("x"):
      guard data.grants.indices.contains(place) else { return nil }
      let grant = data.grants[place].grant
      question = Question(text: "Take back \(grant.label) for \(grant.coverage)".shortened, action: .revoke(grant.id))
    default: break
    }
    return nil
  }

  /// Takes back the remembered answer that ended the selected prompt, or else the last that was given here.
  private mutating func takeBack() -> Action? {
    if section == .recent, let current, case .grant(let id) = current.because {
      ask("Take back the answer that is remembered for", current, .revoke(id))
      return nil
    }
    if let own = data.grants.first(where: \.isOwn) { return .revoke(own.grant.id) }
    notice = "No answer from here is remembered; g lists the others."
    return nil
  }

  private mutating func find(_ key: Key) -> Action? {
    switch key {
    case .enter, .down, .up, .tab: isFiltering = false
    case .escape:
      isFiltering = false
      filter = LineEditor()
    default: _ = filter.handle(key)
    }
    return nil
  }

  private mutating func move(by step: Int) {
    let rows = rows(section)
    guard let place = place(in: section) else { return }
    let next = max(0, min(rows.count - 1, place + step))
    selected[section] = rows[next].id
    places[section] = next
  }

  /// Makes the visible selection explicit, so that it stays on its prompt while rows change above it.
  private mutating func keepSelection() {
    grant = grant.map { min($0, max(0, data.grants.count - 1)) }
    for section in [Section.queue, .recent] {
      guard let place = place(in: section) else { continue }
      selected[section] = rows(section)[place].id
      places[section] = place
    }
  }
}

extension Presentation {
  /// Whether the presentation can be answered now.
  fileprivate var isOnTop: Bool { state == .presented && !covered }

  /// The outcome in the words that the person saw.
  var ending: String {
    if case .answered(.button(let id)) = outcome { return request.buttons.first { $0.id == id }?.label ?? id }
    guard outcome == nil else { return endText }
    let state = covered ? "covered" : state == .presented ? "shown" : snoozedUntil == nil ? "queued" : "snoozed"
    return progressOfApproval.map { "\(state) \($0)" } ?? state
  }
}
