extension PromptDescription {
  /// One field of a form.
  public struct Field: Sendable, Hashable {
    /// The kind of input control.
    public enum Control: String, Sendable, Hashable, CaseIterable {
      case text
      /// Hidden text.
      case secret
      case number
      /// A Boolean.
      case toggle
      /// One of ``Field/choices``.
      case choice
      /// Several of ``Field/choices``.
      case multipleChoice
    }

    /// The member's name in the answer.
    public var name: String
    public var label: String
    public var description: String?
    public var control: Control
    /// The choices in the form in which a person types them.
    public var choices: [String]
    /// The text of each choice for display.
    public var choiceLabels: [String]
    /// Whether the person must fill in the field.
    public var isRequired: Bool
    /// The accepted input, such as `2 to 10 characters`; `nil` for any input.
    public var hint: String?
    /// The initial value in the form in which a person types it; for several choices, a JSON array.
    public var start: String

    package init(_ property: FormSchema.Property) {
      name = property.name
      label = property.label
      description = property.description
      isRequired = !property.mayBeEmpty
      choices = property.choices?.map(\.asTyped) ?? []
      choiceLabels = property.choiceLabels
      control =
        if property.choices != nil, property.kind != .array { .choice } else if property.isSecret { .secret } else {
          switch property.kind {
          case .string: .text
          case .integer, .number: .number
          case .boolean: .toggle
          case .array: .multipleChoice
          }
        }
      hint = property.hint
      start = property.start
    }
  }
}

extension FormSchema.Property {
  fileprivate var start: String {
    guard let defaultValue else { return "" }
    guard kind == .array else { return defaultValue.asTyped }
    // In the order of the choices, as presenters encode it.
    let chosen = choices(typed: defaultValue.description)
    return chosen == [] ? "" : chosen?.description ?? ""
  }

  fileprivate var hint: String? {
    if kind == .array { return countHint }
    guard choices == nil else { return nil }
    switch kind {
    case .string:
      if let format, format != .password { return format.expectation }
      return lengthHint ?? pattern.map { "must match \($0)" }
    case .integer, .number: return numberHint
    case .boolean, .array: return nil
    }
  }

  private var countHint: String? {
    switch (minimumCount.flatMap { $0 > 0 ? $0 : nil }, maximumCount) {
    case (nil, nil): nil
    case (let least?, nil): "at least \(least)"
    case (nil, let most?): "at most \(most)"
    case (let least?, let most?): least == most ? "\(least)" : "\(least) to \(most)"
    }
  }

  private var lengthHint: String? {
    switch (minimumLength.flatMap { $0 > 1 ? $0 : nil }, maximumLength) {
    case (nil, nil): nil
    case (let least?, nil): "at least \(least) characters"
    case (nil, let most?): "at most \(most) characters"
    case (let least?, let most?): least == most ? "\(least) characters" : "\(least) to \(most) characters"
    }
  }

  private var numberHint: String {
    let what = kind == .integer ? "a whole number" : "a number"
    return switch (minimum?.literal, maximum?.literal) {
    case (nil, nil): what
    case (let least?, nil): "\(what), \(least) or more"
    case (nil, let most?): "\(what), at most \(most)"
    case (let least?, let most?): "\(what) from \(least) to \(most)"
    }
  }
}

extension JSONValue {
  /// The value in the form in which a person types it.
  package var asTyped: String { string ?? description }
}
