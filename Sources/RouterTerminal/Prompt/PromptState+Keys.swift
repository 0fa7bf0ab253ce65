import OrderedCollections
import RouterCore

extension PromptState {
  mutating func press(_ key: Key) -> PresenterResponse? {
    if key != .escape {
      notice = nil
      isSure = false
    }
    switch key {
    case .escape: return escape()
    case .pageUp: if labelScroll > 0 { labelScroll -= 1 } else { scroll -= page }
    case .pageDown: readOn()
    case .enter where readsOn: readOn()
    case .tab: move(by: 1)
    case .backTab: move(by: -1)
    case _ where focus == .row(.comment): pressInComment(key)
    case .text("?") where !isTyping: isDetailed.toggle()
    default: return press(atRow: key) ?? (prompt.buttons.isEmpty ? pressInForm(key) : pressAtButtons(key))
    }
    return nil
  }

  /// Handles a key at the focused row. Returns `nil` if the row does not use the key, otherwise its response, if any.
  private mutating func press(atRow key: Key) -> PresenterResponse?? {
    guard let control = focusedRow?.control(in: self) else { return nil }
    switch key {
    case .left where control.turn != nil: control.turn?(&self, -1)
    case .right where control.turn != nil, .text(" ") where control.turn != nil: control.turn?(&self, 1)
    case .text(" ") where control.toggle != nil, .enter where control.toggle != nil: control.toggle?(&self)
    case .text("a") where control.always != nil: control.always?(&self)
    case .enter where control.enter != nil: return .some(control.enter?(self))
    case .enter: leaveExtra()
    default: return nil
    }
    return .some(nil)
  }

  /// Scrolls the marked label if it is higher than the screen, otherwise the text.
  private mutating func readOn() {
    if let focus, cut.contains(focus) { labelScroll += 1 } else { scroll += page }
  }

  /// Whether a key only changes the view, so that it may be pressed before the prompt was read.
  func isHarmless(_ key: Key) -> Bool {
    switch key {
    case .pageUp, .pageDown: true
    case .text("?"): !isTyping
    default: false
    }
  }

  /// Whether typed text goes to a field or a filter.
  var isTyping: Bool {
    switch focus {
    case .field, .anyJSON, .row(.comment): true
    case .button, nil: buttons.isLong
    case .row, .submit, .close: false
    }
  }

  /// Edits the comment. Text typed there does not press buttons.
  private mutating func pressInComment(_ key: Key) {
    switch key {
    case .enter: leaveExtra()
    case .up: move(by: -1)
    case .down: move(by: 1)
    default:
      let before = comment
      _ = comment.handle(key)
      guard comment.text.utf8.count > AnswerExtra.maximumCommentBytes else { return }
      comment = before
      notice = "A comment has at most \(AnswerExtra.maximumCommentBytes) bytes."
    }
  }

  private mutating func leaveExtra() {
    // In a long list without a match, typing continues to filter.
    let last: Stop = prompt.closing == .close ? .close : .submit
    go(to: prompt.buttons.isEmpty ? last : buttons.selected.map(Stop.button) ?? (buttons.isLong ? nil : stops.first))
  }

  /// Leaves a row, a filter or the prompt. Answers only the shown prompt, and only once.
  private mutating func escape() -> PresenterResponse? {
    if escapeLeavesRow {
      leaveExtra()
      return nil
    }
    if case .field(let index) = focus, fields[index].eraseFilter() { return nil }
    if buttons.erase(all: true) { return nil }
    if case .button(let index) = escapeStop {
      guard let response = press(index) else { return nil }
      memory = MemoryChoice(prompt.remembering)
      batch = BatchChoice(batch.others)
      return response
    }
    guard isChanged, !isSure, goesBack || !prompt.isDismissDisabled else { return leave() }
    isSure = true
    notice = "Your input will be lost. Press Escape again to \(goesBack ? "go back" : prompt.closing.words.verb)."
    return nil
  }

  private mutating func leave() -> PresenterResponse? {
    guard goesBack else { return close() }
    isLeft = true
    return nil
  }

  mutating func close() -> PresenterResponse? {
    guard prompt.isDismissDisabled else { return .dismiss }
    notice = PromptDescription.Closing.refusal
    return nil
  }

  private var isChanged: Bool { fields.contains(where: \.isChanged) || !anyJSON.text.isEmpty || !comment.text.isEmpty }

  private mutating func move(by step: Int) {
    if case .field(let index) = focus {
      // Leaving a changed field counts as filling it in, even if it is empty.
      if fields[index].isChanged { fields[index].isTouched = true }
      _ = fields[index].eraseFilter()
    }
    let stops = stops
    guard let focus, let place = stops.firstIndex(of: focus) else {
      go(to: step > 0 ? stops.first : stops.last)
      return
    }
    go(to: stops[(place + step + stops.count) % stops.count])
  }

  private mutating func go(to stop: Stop?) {
    focus = stop
    if case .button(let index) = stop { buttons.select(index) }
  }

  private mutating func pressAtButtons(_ key: Key) -> PresenterResponse? {
    switch key {
    case .up, .left: move(by: -1)
    case .down, .right: move(by: 1)
    case .home: go(to: stops.first)
    case .end: go(to: stops.last)
    case .enter: return pressFocused()
    case .backspace:
      if buttons.erase() { go(to: buttons.selected.map(Stop.button)) }
    case .deleteLine:
      if buttons.erase(all: true) { go(to: buttons.selected.map(Stop.button)) }
    case .text(let text):
      // In a long list, a digit is part of the search text.
      if !buttons.isLong, let button = prompt.buttons.firstIndex(where: { $0.key == text }) {
        return press(button)
      }
      find(text)
    default: break
    }
    return nil
  }

  /// Moves to the control that begins with a letter, including the closing one, without pressing it.
  private mutating func find(_ text: String) {
    if buttons.isLong {
      buttons.type(text)
      return go(to: buttons.selected.map(Stop.button))
    }
    let stops = stops
    let start = focus.flatMap(stops.firstIndex).map { $0 + 1 } ?? 0
    let order = stops.indices.map { stops[($0 + start) % stops.count] }
    if let found = order.first(where: { label(of: $0).lowercased().hasPrefix(text.lowercased()) }) { go(to: found) }
  }

  private func label(of stop: Stop) -> String {
    switch stop {
    case .button(let index): prompt.buttons[index].label
    case .row(let row): label(of: row.control(in: self))
    case .field, .anyJSON, .submit, .close: prompt.closing.label
    }
  }

  private func label(of control: PromptRowControl) -> String { control.isPartOfOther ? "" : control.label }

  private mutating func pressFocused() -> PresenterResponse? {
    switch focus {
    case .button(let index): return press(index)
    case .close: return .dismiss
    case .submit: return submit()
    case .field, .anyJSON, .row, nil:
      notice = buttons.matches.isEmpty ? "No choice contains “\(buttons.filter)”." : "Choose one first."
      return nil
    }
  }

  /// Presses a button if its label is fully visible. Otherwise marks it, which shows the full label.
  private mutating func press(_ index: Int) -> PresenterResponse? {
    let stop = Stop.button(index)
    guard cut.contains(stop) else { return answer(with: prompt.buttons[index]) }
    if focus == stop {
      readOn()
    } else {
      go(to: stop)
      isArmed = false
    }
    return nil
  }

  /// Presses a button. Requires that the person has read all prompts that get the same answer.
  mutating func answer(with button: PromptDescription.Button) -> PresenterResponse? {
    if !batch.chosen.isEmpty, !hasSeenAll, button.role != .cancel {
      notice = "Read the other prompts to their end first: press PgDn."
      return nil
    }
    return .answer(.button(button.id))
  }

  private mutating func pressInForm(_ key: Key) -> PresenterResponse? {
    switch focus {
    case .field(let index):
      switch key {
      case .enter:
        fields[index].chooseMarked()
        return leave(index)
      case .up where !fields[index].moveInList(by: -1): move(by: -1)
      case .down where !fields[index].moveInList(by: 1): move(by: 1)
      case .up, .down: break
      default: _ = fields[index].handle(key)
      }
    case .anyJSON:
      switch key {
      case .enter: return submitJSON()
      case .up: move(by: -1)
      case .down: move(by: 1)
      default: _ = anyJSON.handle(key)
      }
    case .submit, .close, .button, .row, nil:
      switch key {
      case .enter: return prompt.takesAnyJSON && focus == .submit ? submitJSON() : pressFocused()
      case .up, .left: move(by: -1)
      case .down, .right: move(by: 1)
      default: break
      }
    }
    return nil
  }

  /// Moves to the next field if this one is valid, or answers if it is the last one.
  mutating func leave(_ index: Int) -> PresenterResponse? {
    fields[index].isTouched = true
    guard fields[index].problem == nil else { return nil }
    guard index == fields.count - 1 else {
      move(by: 1)
      return nil
    }
    return submit()
  }

  mutating func submit() -> PresenterResponse? {
    guard let schema = request.schema else { return nil }
    for index in fields.indices { fields[index].isTouched = true }
    let texts = OrderedDictionary(uniqueKeysWithValues: fields.map { ($0.field.name, $0.typed) })
    guard let (answer, problems) = try? schema.read(typed: texts) else { return nil }
    if let answer { return .answer(.value(answer)) }
    notice = problems.count == 1 ? "One field is invalid." : "\(problems.count) fields are invalid."
    if let wrong = fields.firstIndex(where: { problems[$0.field.name] != nil }) { go(to: .field(wrong)) }
    return nil
  }

  mutating func submitJSON() -> PresenterResponse? {
    do {
      return .answer(.value(try JSONValue(parsing: anyJSON.text.trimmingWhiteSpace)))
    } catch {
      notice = "Not valid JSON. Put text in quotation marks."
      return nil
    }
  }
}
