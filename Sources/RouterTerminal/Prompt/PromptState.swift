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
    /// The prompts that one answer may include with this one.
    case alike([Presentation])
  }

  /// A focusable control: a field, a button, the answer of a form, or closing the prompt.
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
  /// Whether the prompt is shown again only because it was answered here.
  let isEcho: Bool

  /// Whether the prompt accepts keys. If not, the person needs time to read first.
  var isArmed = false
  private(set) var now: Timestamp
  private(set) var waiting: Int
  private(set) var expiry: Timestamp?
  private(set) var progress: (fraction: Double, label: String?)?
  package var fields: [FieldState]
  var anyJSON = LineEditor()
  /// The buttons; a long list is filtered by the typed text.
  var buttons: ChoiceList
  /// The options for remembering the answer.
  var memory: MemoryChoice
  /// The selection of similar prompts that get the same answer.
  var batch = BatchChoice() {
    // The change adds text to read before answering.
    didSet { if batch.shown.map(\.id) != oldValue.shown.map(\.id) { hasSeenAll = false } }
  }
  /// The selected end of a snooze; `nil` for the first of ``laterTimes``.
  private var laterTime: SnoozeTime?
  /// The person's comment.
  var comment = LineEditor()
  /// Whether all details and claims of the requester are shown.
  var isDetailed = false
  /// Whether the end of the text has been visible. Until then, Enter scrolls, and no button is the default.
  package var hasSeenAll = false {
    didSet { if hasSeenAll, !oldValue, focus == nil { focus = defaultStop } }
  }
  /// The controls with labels that are not fully visible, which cannot be pressed yet.
  package private(set) var cut: Set<Stop> = []
  package var focus: Stop? { didSet { if focus != oldValue { labelScroll = 0 } } }
  /// The number of lines by which a marked label higher than the screen is scrolled.
  package var labelScroll = 0
  /// Whether the prompt can be snoozed only while others wait.
  package var laterNeedsOthers = false
  /// Whether Escape goes back to a list of prompts instead of answering.
  package var goesBack = false
  /// Whether the person has gone back.
  package var isLeft = false
  /// The reason why the person's last action had no effect.
  package var notice: String?
  /// Whether the person was warned that the input would be lost.
  var isSure = false
  /// The number of lines scrolled, and the number of lines for Page Down.
  package var scroll = 0
  package var page = 1

  /// - Parameters:
  ///   - request: The request, with the earlier answer as its defaults.
  ///   - typed: The earlier input.
  ///   - notice: The reason for rejecting the last answer.
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

  /// The initially focused control, once the text has been visible.
  private var defaultStop: Stop? {
    prompt.buttons.isEmpty ? stops.first : prompt.buttons.firstIndex(where: \.isDefault).map(Stop.button)
  }

  /// Applies the results of a drawing.
  package mutating func take(_ frame: Frame) {
    (scroll, page, hasSeenAll, cut) = (frame.scroll, frame.page, frame.hasSeenAll, frame.cut)
  }

  /// Applies an event, and returns the person's response if the event completes one.
  package mutating func handle(_ event: Event) -> PresenterResponse? {
    switch event {
    case .key(let key):
      // Too soon after the prompt appeared for a person to have read it.
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

  /// Whether Enter scrolls the text, or the marked label, instead of pressing a button. A refusal does not require reading.
  var readsOn: Bool { readsOn(cut: cut) }

  /// - Parameter cut: The controls with labels that are not fully visible.
  func readsOn(cut: Set<Stop>) -> Bool {
    switch focus {
    case .button(let index): cut.contains(.button(index)) || !hasSeenAll && prompt.buttons[index].role != .cancel
    case .field(let index): cut.contains(.field(index)) || !hasSeenAll && index == fields.count - 1
    case .submit, .anyJSON, nil: !hasSeenAll
    case .close: prompt.closing == .close && !hasSeenAll
    case .row: false
    }
  }

  /// The control that Escape presses when no row has the focus; `nil` if there is none.
  var escapeStop: Stop? {
    if goesBack { return nil }
    if let cancel = prompt.buttons.firstIndex(where: { $0.role == .cancel }) { return .button(cancel) }
    return prompt.isDismissDisabled ? nil : .close
  }

  /// Whether Escape leaves the focused row, which only sets an option of the answer.
  var escapeLeavesRow: Bool { focusedRow != nil }

  var focusedRow: PromptRow? { if case .row(let row) = focus { row } else { nil } }

  /// The possible ends of a snooze, before the prompt expires.
  package var laterTimes: [SnoozeTime] {
    if laterNeedsOthers, waiting == 0 { return [] }
    return SnoozeTime.allCases.filter { time in expiry.map { now.advanced(by: time.duration(from: now)) < $0 } ?? true }
  }

  /// The selected one of ``laterTimes``; `nil` if the prompt cannot be snoozed.
  var later: SnoozeTime? { laterTime.flatMap { laterTimes.contains($0) ? $0 : nil } ?? laterTimes.first }

  mutating func moveLater(by step: Int) {
    let times = laterTimes
    guard let place = later.flatMap(times.firstIndex) else { return }
    laterTime = times[(place + step + times.count) % times.count]
  }

  /// Returns the response that snoozes the prompt; `nil` if it cannot be snoozed.
  func putOff() -> PresenterResponse? { later.map { .snooze(for: $0.duration(from: now)) } }

  /// Whether the person can add a comment.
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

  /// Returns the response with the options set in the rows.
  func complete(_ response: PresenterResponse) -> PresenterResponse {
    if response.snooze != nil { return response }
    var extra = AnswerExtra(comment: String(comment.text.trimmingWhiteSpace))
    if case .button(let id) = response.answer {
      batch.add(to: &extra)
      if hasSeenAll, extra.also.isEmpty { extra.remember = memory.choice(for: id) }
    }
    return PresenterResponse(response.answer, extra)
  }

  /// The input of all nonsecret fields, by name.
  package var typed: [String: String] {
    Dictionary(uniqueKeysWithValues: fields.filter { !$0.property.isSecret }.map { ($0.field.name, $0.typed) })
  }
}
