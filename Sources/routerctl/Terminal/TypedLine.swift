import Router

enum TypedLine: Sendable, Hashable {
  case response(PresenterResponse)
  /// A field's value; `nil` if it was left empty.
  case value(JSONValue?)
  /// Invalid input, with the reason.
  case again(String)

  init(_ line: String, buttons: [PresentationButton]) {
    let text = line.trimmingWhiteSpace
    if text == "d" {
      self = .response(.dismiss)
    } else if text == "\u{1B}" {
      // Escape presses the cancel button, as on the page.
      let cancel = buttons.first { $0.role == .cancel }
      self = .response(cancel.map { .answer(.button($0.id)) } ?? .dismiss)
    } else if text.isEmpty, buttons.count == 1 {
      self = .response(.answer(.button(buttons[0].id)))
    } else if let number = Int(text), buttons.indices.contains(number &- 1) {
      self = .response(.answer(.button(buttons[number - 1].id)))
    } else {
      self = .again(
        buttons.count == 1 ? "type 1, or d to dismiss" : "type a number from 1 to \(buttons.count), or d to dismiss")
    }
  }

  /// Parses a line typed into a form field. `:d` means what `d` means elsewhere, because `d` may be a valid value.
  init(_ line: String, field property: FormProperty, closing: PromptDescription.Closing = .dismiss) {
    if [":d", ":" + closing.words.key, "\u{1B}"].contains(line.trimmingWhiteSpace) {
      self = .response(.dismiss)
      return
    }
    let isEmpty = (property.kind == .string && property.choices == nil ? line : line.trimmingWhiteSpace).isEmpty
    if isEmpty, let value = property.defaultValue {
      self = .value(value)
      return
    }
    if let choices = property.choices, let number = Int(line.trimmingWhiteSpace), choices.indices.contains(number &- 1) {
      self = .value(choices[number - 1])
      return
    }
    switch property.read(typed: line) {
    case .value(let value): self = .value(value)
    case .empty: self = .value(property.emptyValue)
    case .problem(let why):
      self = .again(isEmpty ? why : property.choices.map { "must be a number from 1 to \($0.count)" } ?? why)
    }
  }

  init(anyJSON line: String, closing: PromptDescription.Closing = .dismiss) {
    let text = line.trimmingWhiteSpace
    if ["", "d", closing.words.key, "\u{1B}"].contains(text) {
      self = .response(.dismiss)
      return
    }
    do {
      self = .response(.answer(.value(try JSONValue(parsing: text))))
    } catch {
      self = .again("is not JSON: \(error); text wants quotation marks")
    }
  }
}
