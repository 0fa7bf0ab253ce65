import Router

struct FieldState: Sendable, Hashable {
  let field: PromptDescription.Field
  let property: FormProperty
  /// Whether the person has visited the field; before that no problem is shown.
  var isTouched = false
  private(set) var content: Content

  enum Content: Sendable, Hashable {
    case line(LineEditor)
    /// A list of ``PromptDescription/Field/choices``, or of Yes and No.
    case list(ChoiceList)
  }

  /// - Parameter typed: The initial input, as typed (default: the field's default value).
  init(_ field: PromptDescription.Field, _ property: FormProperty, typed: String? = nil) {
    self.field = field
    self.property = property
    let text = typed ?? field.start
    content =
      switch field.control {
      case .text, .secret, .number: .line(LineEditor(text))
      case .choice: .list(ChoiceList(field.choices, selected: field.choices.firstIndex(of: text), isRequired: field.isRequired))
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

  /// The field's problem, once the person has visited the field.
  var problem: String? {
    guard isTouched, case .problem(let why) = property.read(typed: typed) else { return nil }
    return "\(field.label) \(why)"
  }

  var isChanged: Bool { typed != field.start }

  /// Applies a key, and returns whether it was used.
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
      // In a short list a digit selects a choice; in a long one it is search text.
      if !list.isLong, let number = Int(text), list.labels.indices.contains(number - 1) {
        list.select(number - 1)
      } else {
        list.type(text)
      }
    case .backspace, .delete:
      if list.erase() { return true }
      // An optional field can be cleared.
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

  /// Chooses the marked row of a list of choices.
  mutating func chooseMarked() {
    guard case .list(var list) = content, field.control == .choice else { return }
    list.select(list.marked)
    content = .list(list)
  }

  /// Moves within a choice list, and returns whether the field is one. Tab and Enter leave the list without a change.
  mutating func moveInList(by step: Int) -> Bool {
    guard case .list(var list) = content, field.control == .choice else { return false }
    list.move(by: step)
    content = .list(list)
    isTouched = true
    return true
  }
}
