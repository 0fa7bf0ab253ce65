import Router

/// Describes answers for people: by button and field labels instead of ids and JSON.
extension PresentationRequest {
  /// A button's label, with its id in brackets if they differ.
  func text(ofButton id: String) -> String {
    guard let label = buttons.first(where: { $0.id == id })?.label.escapedForTerminal() else { return id.escapedForTerminal() }
    return label.lowercased() == id.lowercased() ? label : "\(label) [\(id.escapedForTerminal())]"
  }

  /// A form's values, by field title.
  func fields(of value: JSONValue) -> [(label: String, text: String)] {
    guard case .object(let members) = value else { return [] }
    return members.map { name, value in
      let property = schema?.properties.first { $0.name == name }
      let chosen = property?.labels(of: value)?.joined(separator: ", ")
      let text =
        chosen ?? value.string ?? value.bool.map { $0 ? "yes" : "no" } ?? (value == .null ? "left empty" : value.description)
      return ((property?.title ?? name).escapedForTerminal(), text.escapedForTerminal())
    }
  }
}

extension OutputStyle.Face {
  /// The colors of outcomes: yes, no, other answers, and outcomes without an answer.
  static func of(_ outcome: PresentationOutcome.Name?, _ answer: AnswerKind? = nil) -> OutputStyle.Face {
    switch (outcome, answer) {
    case (.answered, .yes): .green
    case (.answered, .no): .magenta
    case (.answered, _): .cyan
    case (.dismissed, _): .blue
    case (.cancelled, _): .dim
    case (.expired, _): .underline
    case (.failed, _): .red
    case (nil, _): .bold
    }
  }
}
