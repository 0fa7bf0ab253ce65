import Router

struct FieldState: Sendable, Hashable {
  let field: PromptDescription.Field
  let property: FormProperty
  /// Whether the person has been here: before that nothing is said to be wrong.
  var isTouched = false
  private(set) var content: Content

  enum Content: Sendable, Hashable {
    case line(LineEditor)
    /// One of ``PromptDescription/Field/choices``, or Yes and No.
    case list(ChoiceList)
  }

  /// - Parameter typed: What is in it, as it would be typed; what it starts with where that is left out.
  init(_ field: PromptDescription.Field, _ property: FormProperty, typed: String? = nil) {
    self.field = field
    self.property = property
    let text = typed ?? field.start
    content =
      switch field.control {
      case .text, .secret, .number: .line(LineEditor(text))
      case .choice: .list(ChoiceList(field.choices, selected: field.choices.firstIndex(of: text)))
      case .toggle: .list(ChoiceList(["Yes", "No"], selected: ["true", "false"].firstIndex(of: text)))
      }
  }

  var typed: String {
    switch content {
    case .line(let editor): editor.text
    case .list(let list):
      switch field.control {
      case .toggle: list.selected.map { $0 == 0 ? "true" : "false" } ?? ""
      default: list.selected.map { field.choices[$0] } ?? ""
      }
    }
  }

  /// What is wrong with it, once the person has been here.
  var problem: String? {
    guard isTouched, case .problem(let why) = property.read(typed: typed) else { return nil }
    return "\(field.label) \(why)"
  }

  var isChanged: Bool { typed != field.start }

  /// Applies a key, and returns whether it means anything here.
  mutating func handle(_ key: Key) -> Bool {
    switch content {
    case .line(var editor):
      let before = editor.text
      guard editor.handle(key) else { return false }
      content = .line(editor)
      if editor.text != before { isTouched = true }
    case .list(var list):
      guard handle(key, in: &list) else { return false }
      content = .list(list)
      isTouched = true
    }
    return true
  }

  private func handle(_ key: Key, in list: inout ChoiceList) -> Bool {
    switch key {
    case .left: list.move(by: -1)
    case .right: list.move(by: 1)
    case .text(" ") where field.control == .toggle: list.select(list.selected == 0 ? 1 : 0)
    case .text(let text):
      // A short list is numbered; in a long one a digit is something to look for.
      if !list.isLong, let number = Int(text), list.labels.indices.contains(number - 1) {
        list.select(number - 1)
      } else {
        list.type(text)
      }
    case .backspace, .delete:
      if list.erase() { return true }
      // Nothing is something one can go back to only where nothing is an answer.
      if !field.isRequired { list.select(nil) }
    case .deleteLine: _ = list.erase(all: true)
    default: return false
    }
    return true
  }

  /// Clears the filter of a long list, and returns whether there was one.
  mutating func eraseFilter() -> Bool {
    guard case .list(var list) = content, list.erase(all: true) else { return false }
    content = .list(list)
    return true
  }

  /// Moves in a list of choices, and returns whether the field is one. Tab and Enter leave it, so nobody changes it in passing.
  mutating func moveInList(by step: Int) -> Bool {
    guard case .list(var list) = content, field.control == .choice else { return false }
    list.move(by: step)
    content = .list(list)
    isTouched = true
    return true
  }
}
