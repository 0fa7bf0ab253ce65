import RouterCore

/// Formats a prompt for a terminal that can only append lines. Each line of the requester's text is prefixed with a bar, so
/// that it cannot imitate the lines that name the requester.
package struct PromptText {
  /// The number of lines above which the requester is repeated below, since it scrolls out of view.
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
    let head = [style.rule(of: state)] + asker(isDetailed: false)
    let others = state.batch.others.flatMap { style.text(ofOther: $0) }
    return head + text + others + (text.count > Self.maximumLines ? head : []) + buttons + instructions
  }

  package func asker(isDetailed: Bool) -> [String] { style.asker(of: prompt, isDetailed: isDetailed) }

  private var buttons: [String] {
    prompt.buttons.enumerated().flatMap { index, button in
      let note = button.isDefault && prompt.buttons.count > 1 ? "  (Enter)" : ""
      let role = button.role == .destructive ? "  (destructive)" : ""
      let faces: [OutputStyle.Face] =
        switch button.role {
        case .destructive: [.red, .bold]
        case .cancel: []
        case nil: [.bold]
        }
      var rows = numbered(index, button.label, room: role.columns + note.columns, faces)
      rows[rows.count - 1] += style.text(role, .red) + style.text(note, .dim)
      return rows
    }
  }

  /// Returns a choice in full, with room for a note after its last line.
  private func numbered(_ index: Int, _ label: String, room: Int = 0, _ faces: [OutputStyle.Face] = []) -> [String] {
    let start = "  \(index + 1)  "
    let rows = label.escapedForTerminal().wrapped(to: max(8, style.width - start.columns - 1 - room))
    return rows.enumerated().map { ($0 == 0 ? start : String(repeating: " ", count: start.columns)) + style.text($1, faces) }
  }

  private var instructions: [String] {
    guard !state.fields.isEmpty else { return [] }
    let closing = prompt.isDismissDisabled ? "" : "; :\(prompt.closing.words.key) \(prompt.closing.words.effect)"
    return [style.text("Enter keeps the value in [brackets]" + closing, .dim)]
  }

  /// The lines above the first question of the focused field, with details that do not fit in the question.
  package var introduction: [String] {
    guard let field = state.focusedField?.field, let typed = state.focusedField else { return [] }
    let label = field.label.columns > style.width / 2 ? style.quoted(field.label, .bold) : []
    let choices = field.choiceLabels.enumerated().flatMap { numbered($0, $1) }
    let isLong = field.control == .text && typed.label.columns > style.width / 3
    return label + (field.description.map { style.quoted($0, .dim) } ?? []) + choices
      + (isLong ? style.quoted("[\(typed.label)]") : [])
  }

  /// The question of the focused control.
  package var question: String {
    let verb = prompt.closing.words.verb
    switch state.focus {
    case .field(let index): return question(state.fields[index])
    case .anyJSON: return prompt.isDismissDisabled ? "any JSON: " : "any JSON, or Enter to \(verb): "
    case .submit:
      return "Enter to \(prompt.submitLabel?.lowercased() ?? "answer")"
        + (prompt.isDismissDisabled ? ": " : ", or d to \(verb): ")
    case .close: return "Enter to \(verb): "
    case .button, .row, nil: return pressing
    }
  }

  private var pressing: String {
    let count = prompt.buttons.count
    var keys = count == 1 ? ["Enter"] : ["1–\(count)"]
    if count > 1 { keys[0] += " or first letters" }
    if count > 1, prompt.buttons.contains(where: \.isDefault) { keys.append("Enter for the default") }
    if state.batch.isOffered, state.memory.period == nil {
      keys.append(state.key("a") + (state.batch.chosen.isEmpty ? " to answer the others above too" : " for this one only"))
    }
    if !state.memory.periods.isEmpty, state.batch.chosen.isEmpty {
      keys.append(
        state.memory.period == nil
          ? "\(state.key("r")) to remember the answer" : "\(state.key("r")) and \(state.key("f")) for how it is remembered")
    }
    if let later = state.later { keys.append("\(state.key("z")) to snooze (\(later.label))") }
    let more = (state.takesComment ? "w TEXT says why, " : "") + "? shows who asks"
    let closing = prompt.isDismissDisabled ? "" : ", or \(state.key("d")) to dismiss"
    let question = keys.joined(separator: ", ") + closing + " (\(more)):"
    return question.wrapped(to: style.width - 1).joined(separator: "\n") + " "
  }

  /// Returns a field's question: the label, the accepted input, and in brackets the default.
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
    var question = "  " + style.text(field.label.escapedForTerminal().cutInMiddle(to: style.width / 2), .bold)
    if !hints.isEmpty { question += style.text(" (\(hints.joined(separator: ", ")))", .dim) }
    switch field.control {
    case _ where isEmpty: break
    case .secret: question += " [unchanged]"
    case .toggle: question += state.typed == "true" ? " [y]" : " [n]"
    default: question += " [\(state.label.escapedForTerminal().cutInMiddle(to: style.width / 3))]"
    }
    return question + ": "
  }
}

extension Int {
  /// The number of queued prompts, as shown in the rule above a prompt.
  package var waitingText: String { self == 0 ? "" : "\(self) queued" }
}
