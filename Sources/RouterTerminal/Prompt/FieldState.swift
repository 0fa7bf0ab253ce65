import RouterCore

package struct FieldState: Sendable, Hashable {
  let field: PromptDescription.Field
  let property: FormSchema.Property
  /// Whether the person has visited the field; problems are hidden before.
  var isTouched = false
  private(set) var content: Content

  enum Content: Sendable, Hashable {
    case line(LineEditor)
    /// A list of ``PromptDescription/Field/choices``, or of Yes and No.
    case list(ChoiceList)
  }

  /// - Parameter typed: The initial input, as typed (default: the field's default value).
  init(_ field: PromptDescription.Field, _ property: FormSchema.Property, typed: String? = nil) {
    self.field = field
    self.property = property
    content = Self.content(typed ?? field.start, of: field, property)
  }

  private static func content(_ text: String, of field: PromptDescription.Field, _ property: FormSchema.Property) -> Content {
    switch field.control {
    case .text, .secret, .number: .line(LineEditor(text))
    case .choice:
      .list(ChoiceList(field.choiceLabels, selected: field.choices.firstIndex(of: text), isRequired: field.isRequired))
    case .multipleChoice: .list(ChoiceList(field.choiceLabels, checked: checked(text, in: property)))
    case .toggle: .list(ChoiceList(["Yes", "No"], selected: ["true", "false"].firstIndex(of: text)))
    }
  }

  private static func checked(_ text: String, in property: FormSchema.Property) -> Set<Int> {
    let chosen = Set(property.choices(typed: text)?.array ?? [])
    let choices = property.choices ?? []
    return Set(choices.indices.filter { chosen.contains(choices[$0]) })
  }

  /// The input for display.
  var label: String {
    switch content {
    case .line(let editor): editor.text
    case .list(let list): list.chosen.map { list.labels[$0] }.joined(separator: ", ")
    }
  }

  var typed: String {
    switch content {
    case .line(let editor): editor.text
    case .list(let list):
      switch field.control {
      case .toggle: list.selected.map { $0 == 0 ? "true" : "false" } ?? ""
      case .multipleChoice: typed(list.checked ?? [])
      default: list.selected.map { field.choices[$0] } ?? ""
      }
    }
  }

  private func typed(_ checked: Set<Int>) -> String {
    checked.isEmpty ? "" : JSONValue.array(checked.sorted().map { .string(field.choices[$0]) }).description
  }

  /// The field's problem, once the person has visited the field.
  package var problem: String? {
    guard isTouched else { return nil }
    if case .list(let list) = content, let count = list.checked?.count {
      // Each drawing calls this, so it avoids reading thousands of choices again.
      guard count > 0 || field.isRequired else { return nil }
      return property.problem(withCount: count).map { "\(field.label) \($0)" }
    }
    guard case .problem(let why) = property.read(typed: typed) else { return nil }
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
      let before = list.checked
      guard handle(key, in: &list) else { return false }
      content = .list(list)
      // Searching for choices does not change the checked ones.
      if before == nil || list.checked != before { isTouched = true }
    }
    return true
  }

  /// Enters a line as the input, where a number selects a choice. An empty line keeps the input. Returns the reason for a
  /// rejected line.
  mutating func enter(_ line: String) -> String? {
    var text = field.control == .text || field.control == .secret ? line : line.trimmingWhiteSpace
    guard !text.isEmpty else { return nil }
    switch field.control {
    case .choice:
      if let number = Int(text), field.choices.indices.contains(number &- 1) {
        text = field.choices[number - 1]
      } else if let found = onlyChoice(beginning: text) {
        text = field.choices[found]
      }
    case .multipleChoice:
      guard let chosen = property.choices(typed: text == "0" ? "[]" : text, hasNumbers: true) else {
        return "must be numbers from 1 to \(field.choices.count), separated by commas"
      }
      text = chosen.description
    case .text, .secret, .number, .toggle: break
    }
    switch property.read(typed: text) {
    case .value(let value): content = Self.content(value.asTyped, of: field, property)
    case .empty: content = Self.content("", of: field, property)
    case .problem(let why): return field.control == .choice ? "must be a number from 1 to \(field.choices.count)" : why
    }
    return nil
  }

  /// Returns the only choice with a label that begins with the typed letters.
  private func onlyChoice(beginning letters: String) -> Int? {
    let found = field.choices.indices.filter { field.choiceLabels[$0].lowercased().hasPrefix(letters.lowercased()) }
    return found.count == 1 && !field.choices.contains(letters) ? found[0] : nil
  }

  private func handle(_ key: Key, in list: inout ChoiceList) -> Bool {
    switch key {
    case .left: list.move(by: -1)
    case .right: list.move(by: 1)
    case .text(" ") where field.control == .toggle: list.select(list.selected == 0 ? 1 : 0)
    case .text(" ") where field.control == .multipleChoice: list.toggle(list.marked)
    case .text(let text):
      // In a short list a digit selects a choice; in a long one it is search text.
      if !list.isLong, let number = Int(text), list.labels.indices.contains(number - 1) {
        if list.checked != nil { list.toggle(number - 1) } else { list.select(number - 1) }
      } else {
        list.type(text)
      }
    case .backspace, .delete:
      if list.erase() { return true }
      // An optional field can be cleared.
      if !field.isRequired, list.checked == nil { list.select(nil) }
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

  /// Whether the field shows its choices as rows while it has the focus.
  var isOpenList: Bool { field.control == .choice || field.control == .multipleChoice }

  /// Moves within a choice list, and returns whether the field is a choice list. Tab and Enter leave the list without a change.
  mutating func moveInList(by step: Int) -> Bool {
    guard case .list(var list) = content, isOpenList else { return false }
    list.move(by: step)
    content = .list(list)
    if list.checked == nil { isTouched = true }
    return true
  }
}
