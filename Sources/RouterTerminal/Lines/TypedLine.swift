package import RouterCore

package enum TypedLine: Sendable, Hashable {
  case response(PresenterResponse)
  /// A field's value; `nil` if it was left empty.
  case value(JSONValue?)
  /// Invalid input, with the reason.
  case again(String)

  package init(_ line: String, buttons: [PresentationRequest.Button], isDismissDisabled: Bool = false) {
    let text = line.trimmingWhiteSpace
    let isEscape = text == "\u{1B}" && buttons.allSatisfy { $0.role != .cancel }
    if isDismissDisabled, isEscape || text == "d" {
      self = .again(PromptDescription.Closing.refusal)
    } else if text == "d" {
      self = .response(.dismiss)
    } else if text == "\u{1B}" {
      // Escape presses the cancel button, as on the page.
      let cancel = buttons.first { $0.role == .cancel }
      self = .response(cancel.map { .answer(.button($0.id)) } ?? .dismiss)
    } else if text.isEmpty, let button = buttons.count == 1 ? buttons[0] : buttons.first(where: \.isDefault) {
      self = .response(.answer(.button(button.id)))
    } else if let number = Int(text), buttons.indices.contains(number &- 1) {
      self = .response(.answer(.button(buttons[number - 1].id)))
    } else {
      let dismissal = isDismissDisabled ? "" : ", or d to dismiss"
      self = .again((buttons.count == 1 ? "type 1" : "type a number from 1 to \(buttons.count)") + dismissal)
    }
  }

  /// Parses a line typed into a form field. `:d` stands for the `d` of other prompts, because `d` may be a valid value.
  package init(
    _ line: String, field property: FormSchema.Property, closing: PromptDescription.Closing = .dismiss,
    isDismissDisabled: Bool = false
  ) {
    if [":d", ":" + closing.words.key, "\u{1B}"].contains(line.trimmingWhiteSpace) {
      self = isDismissDisabled ? .again(PromptDescription.Closing.refusal) : .response(.dismiss)
      return
    }
    let isEmpty = (property.kind == .string && property.choices == nil ? line : line.trimmingWhiteSpace).isEmpty
    if isEmpty, let value = property.defaultValue {
      self = .value(value)
      return
    }
    if property.kind == .array {
      self = Self.chosen(line.trimmingWhiteSpace, of: property)
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

  /// Parses numbers or labels separated by commas; 0 chooses nothing, where a default is offered.
  private static func chosen(_ text: String, of property: FormSchema.Property) -> TypedLine {
    let text = text == "0" ? "[]" : text
    let value = property.choices(typed: text, hasNumbers: true)
    if value?.array?.isEmpty == true, property.mayBeEmpty { return .value(property.emptyValue) }
    guard let value else { return .again("must be numbers from 1 to \(property.choices?.count ?? 0), separated by commas") }
    return property.problem(with: value).map(TypedLine.again) ?? .value(value)
  }

  package init(anyJSON line: String, closing: PromptDescription.Closing = .dismiss) {
    let text = line.trimmingWhiteSpace
    if ["", "d", closing.words.key, "\u{1B}"].contains(text) {
      self = .response(.dismiss)
      return
    }
    do {
      self = .response(.answer(.value(try JSONValue(parsing: text))))
    } catch {
      self = .again("is not valid JSON: \(error). Put text in quotation marks")
    }
  }
}
