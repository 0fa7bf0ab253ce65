package import RouterCore

extension PromptState {
  /// Applies a typed line to the focused control, and returns the person's response if it completes one. Otherwise ``refusal``
  /// may give the reason.
  package mutating func enter(_ line: String) -> PresenterResponse? {
    notice = nil
    // The entire text was printed above the first question.
    hasSeenAll = true
    return apply(line).map(complete)
  }

  /// The reason for rejecting the last line.
  package var refusal: String? { notice ?? focusedField?.problem }

  var focusedField: FieldState? {
    if case .field(let index) = focus { fields[index] } else { nil }
  }

  private mutating func apply(_ line: String) -> PresenterResponse? {
    let text = line.trimmingWhiteSpace
    let key = prompt.closing.words.key
    switch focus {
    case .field(let index):
      // Requires a colon, because a letter may be a valid value.
      if [":d", ":" + key, "\u{1B}"].contains(text) { return close() }
      if text == ":l", let response = putOff() { return response }
      if text == ":?" || text.hasPrefix(":w "), takesComment || text == ":?" { return press(String(text.dropFirst())) }
      if let problem = fields[index].enter(line) {
        notice = "\(fields[index].field.label) \(problem)"
        return nil
      }
      return leave(index)
    case .anyJSON:
      if ["", "d", key, "\u{1B}"].contains(text) { return close() }
      if text == "l", let response = putOff() { return response }
      anyJSON = LineEditor(text)
      return submitJSON()
    case .submit where text == "l": return putOff()
    case .submit: return ["d", key, "\u{1B}"].contains(text) ? close() : submit()
    case .close where text.isEmpty: return close()
    case .button, .row, .close, nil: return press(text)
    }
  }

  /// The buttons matched by typed letters: an exact label, otherwise the labels with this prefix.
  func buttons(beginning letters: String) -> [Int] {
    let letters = letters.lowercased()
    guard !letters.isEmpty, !prompt.buttons.isEmpty else { return [] }
    let labels = prompt.buttons.map { $0.label.lowercased() }
    let found = labels.indices.filter { labels[$0].hasPrefix(letters) }
    let whole = found.filter { labels[$0] == letters }
    return whole.count == 1 ? whole : found
  }

  /// Returns the input for a command: its letter, with a colon if a label begins with the letter.
  func key(_ letter: String) -> String { buttons(beginning: letter).isEmpty ? letter : ":" + letter }

  private mutating func press(_ line: String) -> PresenterResponse? {
    let count = prompt.buttons.count
    if line == "\u{1B}" { return press(.escape) }
    if let number = Int(line), prompt.buttons.indices.contains(number &- 1) { return answer(with: prompt.buttons[number - 1]) }
    let isCommand = line.hasPrefix(":")
    let command = isCommand ? String(line.dropFirst()) : line
    let found = isCommand ? [] : buttons(beginning: line)
    let name = name(of: command)
    switch (found.count, name) {
    case (0, .some): return obey(command)
    case (1, nil): return answer(with: prompt.buttons[found[0]])
    case (0, nil) where line.isEmpty && prompt.buttons.contains(where: \.isDefault): return press(.enter)
    case (0, nil) where count == 0: notice = "press Enter to \(prompt.closing.words.verb)"
    case (0, nil):
      let numbers = count == 1 ? "type 1" : "type a number from 1 to \(count)"
      notice = numbers + (prompt.isDismissDisabled ? "" : ", or \(key("d")) to dismiss")
    default:
      let labels = found.prefix(3).map { "“\(prompt.buttons[$0].label.cutInMiddle(to: 40))”" }
      let others = found.count > 3 ? ["\(found.count - 3) more"] : []
      let meant = (labels + others + [name].compactMap(\.self)).joined(separator: " or ")
      notice = "“\(line)” could mean \(meant): type a number or more of the label" + (name == nil ? "" : ", or :\(line)")
    }
    return nil
  }

  /// Returns the name of a command; `nil` if there is no such command.
  private func name(of command: String) -> String? {
    switch command {
    case "d", prompt.closing.words.key: prompt.closing.words.verb
    case "z" where later != nil: "snooze"
    case "?": "who asks"
    case _ where command.hasPrefix("w ") && takesComment: "a comment"
    case "a" where batch.isOffered: "the others"
    case "r" where !memory.periods.isEmpty: "remember"
    case "f" where memory.period != nil: "for what it is remembered"
    default: nil
    }
  }

  private mutating func obey(_ command: String) -> PresenterResponse? {
    switch command {
    case "z": return putOff()
    case "?": isDetailed = true
    case _ where command.hasPrefix("w "):
      comment = LineEditor(String(command.dropFirst(2)))
      notice = "Your answer will say: “\(comment.text)”"
    case "a":
      batch.move(by: batch.mode == .none ? 1 : -1)
      notice = batch.chosen.isEmpty ? "Your answer is for this prompt only." : "Your answer is also for the others above."
    case "r":
      memory.movePeriod(by: 1)
      notice = memory.words
    case "f":
      memory.moveWidth(by: 1)
      notice = memory.words
    default: return close()
    }
    return nil
  }
}
