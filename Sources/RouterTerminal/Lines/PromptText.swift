import RouterCore

/// Formats a prompt for a terminal that can only append lines. Each line of the requester's text is prefixed with a bar, so
/// that it cannot imitate the lines that name the requester.
package struct PromptText {
  /// The number of lines above which the requester scrolls out of view, so that it is repeated below.
  static let maximumLines = 24

  private let state: PromptState
  private let style: OutputStyle

  package init(_ state: PromptState, style: OutputStyle) {
    self.state = state
    self.style = style
  }

  private var prompt: PromptDescription { state.prompt }

  /// The prompt above its first question.
  package var lines: [String] {
    let text = style.text(of: prompt, below: state.parents).lines
    let head = [style.rule(state.request.surface.escapedForTerminal(), state.waiting.waitingText)] + asker(isDetailed: false)
    let others = state.batch.others.flatMap { style.text(ofOther: $0) }
    return head + text + others + (text.count > Self.maximumLines ? head : []) + buttons + instructions
  }

  package func asker(isDetailed: Bool) -> [String] { style.asker(of: prompt, isDetailed: isDetailed) }

  private var buttons: [String] {
    prompt.buttons.enumerated().map { index, button in
      let label = button.label.escapedForTerminal().cut(to: style.width - 24)
      let number = "  \(index + 1)  "
      let isChosen = state.request.buttons[index].isDefault && prompt.buttons.count > 1
      let note = isChosen ? style.text("  (Enter)", .dim) : ""
      return switch button.role {
      case .destructive: number + style.text(label, .red, .bold) + style.text("  (destructive)", .red) + note
      case .cancel: number + label + note
      case nil: number + style.text(label, .bold) + note
      }
    }
  }

  private var instructions: [String] {
    guard !state.fields.isEmpty else { return [] }
    let closing = prompt.isDismissDisabled ? "" : "; :\(prompt.closing.words.key) \(prompt.closing.words.effect)"
    return [style.text("Enter keeps the value in [brackets]" + closing, .dim)]
  }

  /// The lines above the first question of the focused field.
  package var introduction: [String] {
    guard let field = state.focusedField?.field else { return [] }
    let choices = field.choiceLabels.enumerated().map { index, choice in
      "  \(index + 1)  " + choice.escapedForTerminal().cut(to: style.width - 20)
    }
    return (field.description.map { style.quoted($0, .dim) } ?? []) + choices
  }

  /// The question of the focused control.
  package var question: String {
    let verb = prompt.closing.words.verb
    switch state.focus {
    case .field(let index): return question(state.fields[index])
    case .anyJSON: return prompt.isDismissDisabled ? "any JSON: " : "any JSON, or Enter to \(verb): "
    case .submit: return "Enter to answer" + (prompt.isDismissDisabled ? ": " : ", or d to \(verb): ")
    case .button, .suppression, .period, .width, .batch, .other, .comment, .later, .close, nil: return pressing
    }
  }

  private var pressing: String {
    let count = prompt.buttons.count
    var keys = count == 1 ? ["Enter"] : ["1–\(count)"]
    if count > 1, state.request.buttons.contains(where: \.isDefault) { keys.append("Enter for the default") }
    var toggle = ""
    if let label = prompt.suppressionToggle {
      keys.append("s for the toggle")
      toggle = "  s  \(state.isSuppressed ? "[x]" : "[ ]") \(label.escapedForTerminal())\n"
    }
    if state.batch.isOffered, state.memory.period == nil {
      keys.append(state.batch.chosen.isEmpty ? "a to answer the others above too" : "a for this one only")
    }
    if !state.memory.periods.isEmpty, state.batch.chosen.isEmpty {
      keys.append(state.memory.period == nil ? "r to remember the answer" : "r and f for how it is remembered")
    }
    if let later = state.later { keys.append("n for later (\(later.label))") }
    let more = (state.request.sensitive ? "" : "w TEXT says why, ") + "? shows who asks"
    return toggle + keys.joined(separator: ", ") + (prompt.isDismissDisabled ? "" : ", or d to dismiss") + " (\(more)): "
  }

  /// Returns a field's question: the label, the accepted input, and in brackets the value that Enter gives.
  private func question(_ state: FieldState) -> String {
    let field = state.field
    let isEmpty = state.typed.isEmpty
    var hints: [String] = []
    switch field.control {
    case .choice: hints.append("a number")
    case .multipleChoice: hints.append(isEmpty ? "numbers" : "numbers, or 0 for none")
    case .toggle: hints.append("y/n")
    case .text, .secret, .number: break
    }
    if isEmpty { hints.append(field.isRequired ? "required" : "optional") }
    if let hint = field.hint { hints.append(hint.escapedForTerminal().cut(to: style.width)) }
    var question = "  " + style.text(field.label.escapedForTerminal().cut(to: style.width / 2), .bold)
    if !hints.isEmpty { question += style.text(" (\(hints.joined(separator: ", ")))", .dim) }
    switch field.control {
    case _ where isEmpty: break
    case .secret: question += " [unchanged]"
    case .toggle: question += state.typed == "true" ? " [y]" : " [n]"
    default: question += " [\(state.label.escapedForTerminal().cut(to: style.width / 3))]"
    }
    return question + ": "
  }
}

extension Int {
  /// The number of queued prompts, as shown in the rule above a prompt.
  package var waitingText: String { self == 0 ? "" : "\(self) queued" }
}
