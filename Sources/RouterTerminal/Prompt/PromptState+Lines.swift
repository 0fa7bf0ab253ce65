package import RouterCore

extension PromptState {
  /// Applies a typed line to the focused control, and returns the person's response if it completes one. Otherwise ``refusal`` may
  /// have the reason.
  package mutating func enter(_ line: String) -> PresenterResponse? {
    notice = nil
    // All of it was printed above the first question.
    hasSeenAll = true
    return apply(line).map(complete)
  }

  /// Why the last line was refused.
  package var refusal: String? { notice ?? focusedField?.problem }

  var focusedField: FieldState? {
    if case .field(let index) = focus { fields[index] } else { nil }
  }

  private mutating func apply(_ line: String) -> PresenterResponse? {
    let text = line.trimmingWhiteSpace
    let key = prompt.closing.words.key
    switch focus {
    case .field(let index):
      // With a colon, because a letter may be a valid value.
      if [":d", ":" + key, "\u{1B}"].contains(text) { return close() }
      if text == ":n", let response = putOff() { return response }
      if text == ":?" || text.hasPrefix(":w "), !request.sensitive || text == ":?" { return press(String(text.dropFirst())) }
      if let problem = fields[index].enter(line) {
        notice = "\(fields[index].field.label) \(problem)"
        return nil
      }
      return leave(index)
    case .anyJSON:
      if ["", "d", key, "\u{1B}"].contains(text) { return close() }
      if text == "n", let response = putOff() { return response }
      anyJSON = LineEditor(text)
      return submitJSON()
    case .submit where text == "n": return putOff()
    case .submit: return ["d", key, "\u{1B}"].contains(text) ? close() : submit()
    case .button, .suppression, .period, .width, .batch, .other, .comment, .later, .close, nil: return press(text)
    }
  }

  private mutating func press(_ line: String) -> PresenterResponse? {
    switch line {
    case "d": return close()
    case "n" where later != nil: return putOff()
    case "\u{1B}": return press(.escape)
    case "?": isDetailed = true
    case _ where line.hasPrefix("w ") && !request.sensitive:
      comment = LineEditor(String(line.dropFirst(2)))
      notice = "Your answer will say: “\(comment.text)”"
    case "a" where batch.isOffered:
      batch.move(by: batch.mode == .none ? 1 : -1)
      notice = batch.chosen.isEmpty ? "Your answer is for this prompt only." : "Your answer is also for the others above."
    case "r" where !memory.periods.isEmpty:
      memory.movePeriod(by: 1)
      notice = memory.words
    case "f" where memory.period != nil:
      memory.moveWidth(by: 1)
      notice = memory.words
    case "s" where prompt.suppressionToggle != nil: isSuppressed.toggle()
    // Enter presses only a button that the program chose.
    case "" where prompt.buttons.count == 1 || request.buttons.contains(where: \.isDefault): return press(.enter)
    default:
      if let number = Int(line), prompt.buttons.indices.contains(number &- 1) {
        return answer(with: prompt.buttons[number - 1])
      }
      let numbers = prompt.buttons.count == 1 ? "type 1" : "type a number from 1 to \(prompt.buttons.count)"
      notice = numbers + (prompt.isDismissDisabled ? "" : ", or d to dismiss")
    }
    return nil
  }
}
