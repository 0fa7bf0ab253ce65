import OrderedCollections
package import RouterCore
import RouterSystem

/// The state of one showing in a terminal. Keys and time are events; ``PromptView`` draws it.
package struct PromptState: Sendable {
  package enum Event: Sendable {
    case key(Key)
    /// The prompt has been visible long enough to accept keys.
    case armed
    /// The person has returned to the terminal and needs time to read the prompt again.
    case disarmed
    case time(Timestamp)
    case waiting(Int)
    case expires(Timestamp?)
    /// The requester has reported progress, from 0 to 1.
    case progress(Double, String?)
    /// The prompts that can be answered together with this one.
    case alike([Presentation])
  }

  /// A control that can have the focus: a field, a button, the answer of a form, or closing the prompt.
  package enum Stop: Sendable, Hashable {
    case field(Int)
    /// The JSON input of a sheet without fields.
    case anyJSON
    case button(Int)
    case submit
    case row(PromptRow)
    case close
  }

  package let presentation: Presentation
  let request: PresentationRequest
  let prompt: PromptDescription
  /// The headings of the presentations below this one in its stack, lowest first.
  let parents: [String]
  /// Whether it is shown again only because it was answered here.
  let isEcho: Bool

  /// Whether it accepts keys. If not, a person needs time to read first.
  var isArmed = false
  private(set) var now: Timestamp
  private(set) var waiting: Int
  private(set) var expiry: Timestamp?
  private(set) var progress: (fraction: Double, label: String?)?
  package var fields: [FieldState]
  var anyJSON = LineEditor()
  /// The buttons; a long list is filtered by the typed text.
  var buttons: ChoiceList
  /// How the answer is remembered.
  var memory: MemoryChoice
  /// Which others get the same answer.
  var batch = BatchChoice() {
    // What else is to be read before the answer has changed.
    didSet { if batch.shown.map(\.id) != oldValue.shown.map(\.id) { hasSeenAll = false } }
  }
  /// When it would come back; `nil` for the first of ``laterTimes``.
  private var laterTime: SnoozeTime?
  /// Why the person decides so.
  var comment = LineEditor()
  /// Whether everything about the requester is shown, and all that it says.
  var isDetailed = false
  /// Whether the end of the text has been on the screen. Before that, Enter shows more of it, and no button is the default.
  package var hasSeenAll = false {
    didSet { if hasSeenAll, !oldValue, focus == nil { focus = defaultStop } }
  }
  /// The controls whose labels are not whole on the screen. None of them is pressed before it is.
  package private(set) var cut: Set<Stop> = []
  package var focus: Stop? { didSet { if focus != oldValue { labelScroll = 0 } } }
  /// The number of lines scrolled past of a marked label that is higher than the screen.
  package var labelScroll = 0
  /// Whether it can be put off only while others wait.
  package var laterNeedsOthers = false
  /// Whether Escape goes back to a list of prompts instead of answering.
  package var goesBack = false
  /// Whether the person has gone back.
  package var isLeft = false
  /// Why the person's last action had no effect.
  package var notice: String?
  /// Whether the person was warned that the input would be lost.
  var isSure = false
  /// The number of lines scrolled past, and the number that Page Down scrolls.
  package var scroll = 0
  package var page = 1

  /// - Parameters:
  ///   - request: The request, with the earlier answer as its defaults.
  ///   - typed: The earlier input.
  ///   - notice: Why the last answer was rejected.
  package init(
    _ presentation: Presentation, request: PresentationRequest? = nil, waiting: Int, now: Timestamp, parents: [String] = [],
    typed: [String: String] = [:], isEcho: Bool = false, notice: String? = nil
  ) {
    self.presentation = presentation
    self.request = request ?? presentation.request
    prompt = PromptDescription(presentation, request: self.request)
    self.parents = parents
    self.waiting = waiting
    self.now = now
    self.isEcho = isEcho
    self.notice = notice ?? (isEcho ? "Answered. Waiting for the program to continue." : nil)
    fields = zip(prompt.fields, self.request.schema?.properties ?? []).map { FieldState($0, $1, typed: typed[$0.name]) }
    memory = MemoryChoice(prompt.remembering)
    buttons = ChoiceList(prompt.buttons.map(\.label), selected: prompt.buttons.firstIndex(where: \.isDefault))
    if prompt.buttons.isEmpty { focus = defaultStop }
  }

  /// The control that has the focus at first, once the text was on the screen.
  private var defaultStop: Stop? {
    prompt.buttons.isEmpty ? stops.first : prompt.buttons.firstIndex(where: \.isDefault).map(Stop.button)
  }

  /// Takes what a drawing has found out.
  package mutating func take(_ frame: Frame) {
    (scroll, page, hasSeenAll, cut) = (frame.scroll, frame.page, frame.hasSeenAll, frame.cut)
  }

  /// Applies an event, and returns the person's response if the event completes one.
  package mutating func handle(_ event: Event) -> PresenterResponse? {
    switch event {
    case .key(let key):
      // Too soon after the prompt appeared for the person to have read it.
      guard isArmed || isHarmless(key) else { return nil }
      return press(key).map(complete)
    case .armed: isArmed = true
    case .disarmed: isArmed = false
    case .time(let now): self.now = now
    case .waiting(let waiting): self.waiting = waiting
    case .expires(let expiry): self.expiry = expiry
    case .progress(let fraction, let label): progress = (fraction, label)
    case .alike(let others):
      batch.update(others)
      if let focus, !stops.contains(focus) { self.focus = stops.first }
    }
    return nil
  }

  /// Whether Enter shows more of the text, or of the marked label, instead of pressing. A refusal needs no reading.
  var readsOn: Bool { readsOn(cut: cut) }

  /// - Parameter cut: The controls whose labels are not whole on the screen.
  func readsOn(cut: Set<Stop>) -> Bool {
    switch focus {
    case .button(let index): cut.contains(.button(index)) || !hasSeenAll && prompt.buttons[index].role != .cancel
    case .field(let index): cut.contains(.field(index)) || !hasSeenAll && index == fields.count - 1
    case .submit, .anyJSON, nil: !hasSeenAll
    case .close: prompt.closing == .close && !hasSeenAll
    case .row: false
    }
  }

  /// What Escape presses if there is no row to leave; `nil` if it presses nothing.
  var escapeStop: Stop? {
    if goesBack { return nil }
    if let cancel = prompt.buttons.firstIndex(where: { $0.role == .cancel }) { return .button(cancel) }
    return prompt.isDismissDisabled ? nil : .close
  }

  /// Whether Escape leaves the focused row, which only says something about the answer.
  var escapeLeavesRow: Bool { focusedRow != nil }

  var focusedRow: PromptRow? { if case .row(let row) = focus { row } else { nil } }

  /// When it may come back if it is put off: before it expires.
  package var laterTimes: [SnoozeTime] {
    if laterNeedsOthers, waiting == 0 { return [] }
    return SnoozeTime.allCases.filter { time in expiry.map { now.advanced(by: time.duration(from: now)) < $0 } ?? true }
  }

  /// The chosen one of ``laterTimes``; `nil` if it cannot be put off.
  var later: SnoozeTime? { laterTime.flatMap { laterTimes.contains($0) ? $0 : nil } ?? laterTimes.first }

  mutating func moveLater(by step: Int) {
    let times = laterTimes
    guard let place = later.flatMap(times.firstIndex) else { return }
    laterTime = times[(place + step + times.count) % times.count]
  }

  /// The response that puts it off; `nil` if it cannot be.
  func putOff() -> PresenterResponse? { later.map { .snooze(for: $0.duration(from: now)) } }

  /// Whether the person can say why they decide so.
  var takesComment: Bool { !request.sensitive && request.hasAnswer }

  /// All focusable controls, in order.
  package var stops: [Stop] {
    let others: [PromptRow] = batch.mode == .some ? batch.others.indices.map(PromptRow.other) : []
    let same: [PromptRow] = !batch.isOffered || memory.period != nil ? [] : [.batch] + others
    let remember: [PromptRow] =
      memory.periods.isEmpty || !batch.chosen.isEmpty
      ? [] : memory.period == nil || !hasSeenAll ? [.period] : [.period, .width]
    let last: [PromptRow] = (takesComment ? [.comment] : []) + (later == nil ? [] : [.later])
    if prompt.closing == .close { return [.close] + last.map(Stop.row) }
    let close: [Stop] = prompt.isDismissDisabled ? [] : [.close]
    if !prompt.buttons.isEmpty {
      return buttons.matches.map(Stop.button) + (same + remember + last).map(Stop.row) + close
    }
    return (prompt.takesAnyJSON ? [.anyJSON] : fields.indices.map(Stop.field)) + [.submit] + last.map(Stop.row) + close
  }

  /// The response with what the rows add to it.
  func complete(_ response: PresenterResponse) -> PresenterResponse {
    if response.snooze != nil { return response }
    var extra = AnswerExtra(comment: String(comment.text.trimmingWhiteSpace))
    if case .button(let id) = response.answer {
      batch.add(to: &extra)
      if hasSeenAll, extra.also.isEmpty { extra.remember = memory.choice(for: id) }
    }
    return PresenterResponse(response.answer, extra)
  }

  /// The input of all fields that are not secret, by name.
  package var typed: [String: String] {
    Dictionary(uniqueKeysWithValues: fields.filter { !$0.property.isSecret }.map { ($0.field.name, $0.typed) })
  }
}
