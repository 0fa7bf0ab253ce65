/// Fields bound to a property of the answer: `TextField("Street", \Answer.street)`. The compiler checks that there is such a
/// property, and its type; a property with another coding key is found when the sheet is shown.
extension TextField {
  /// A line of text for a property.
  public init<Answer>(
    _ title: String? = nil, _ property: KeyPath<Answer, String>, description: String? = nil,
    default defaultValue: String? = nil,
    length: ClosedRange<Int>? = nil, pattern: String? = nil, format: FormProperty.Format? = nil
  ) {
    self.init(
      title, name: property.name, description: description, default: defaultValue, length: length, pattern: pattern,
      format: format)
  }

  /// A line of text for a property that may be left out.
  public init<Answer>(
    _ title: String? = nil, _ property: KeyPath<Answer, String?>, description: String? = nil,
    default defaultValue: String? = nil, length: ClosedRange<Int>? = nil, pattern: String? = nil,
    format: FormProperty.Format? = nil
  ) {
    self.init(
      title, name: property.name, description: description, isRequired: false, default: defaultValue, length: length,
      pattern: pattern, format: format)
  }
}

extension SecureField {
  /// A hidden line of text for a property.
  public init<Answer>(
    _ title: String? = nil, _ property: KeyPath<Answer, String>, description: String? = nil, length: ClosedRange<Int>? = nil
  ) {
    self.init(title, name: property.name, description: description, length: length)
  }
}

extension NumberField {
  /// A whole number for a property.
  public init<Answer>(
    _ title: String? = nil, _ property: KeyPath<Answer, Int>, description: String? = nil, default defaultValue: Int? = nil,
    minimum: Int? = nil, maximum: Int? = nil
  ) {
    self.init(
      title, name: property.name, description: description, isWhole: true, default: defaultValue.map(Double.init),
      minimum: minimum.map(Double.init), maximum: maximum.map(Double.init))
  }

  /// A number for a property.
  public init<Answer>(
    _ title: String? = nil, _ property: KeyPath<Answer, Double>, description: String? = nil,
    default defaultValue: Double? = nil, minimum: Double? = nil, maximum: Double? = nil
  ) {
    self.init(
      title, name: property.name, description: description, default: defaultValue, minimum: minimum, maximum: maximum)
  }
}

extension Toggle {
  /// Yes or no for a property.
  public init<Answer>(
    _ title: String? = nil, _ property: KeyPath<Answer, Bool>, description: String? = nil, default defaultValue: Bool? = nil
  ) {
    self.init(title, name: property.name, description: description, default: defaultValue)
  }
}

extension Picker {
  /// One of the values of a property's enumeration.
  public init<Answer, Choice: CaseIterable & RawRepresentable<String>>(
    _ title: String? = nil, _ property: KeyPath<Answer, Choice>, description: String? = nil,
    default defaultValue: Choice? = nil
  ) {
    self.init(title, name: property.name, description: description, of: Choice.self, default: defaultValue)
  }

  /// Several texts for a property.
  public static func multiple<Answer>(
    _ title: String? = nil, _ property: KeyPath<Answer, [String]>, description: String? = nil, choices: [String],
    default defaultValue: [String]? = nil, count: ClosedRange<Int>? = nil
  ) -> Picker {
    multiple(
      title, name: property.name, description: description, choices: choices, default: defaultValue, count: count)
  }

  /// Several values of a property's enumeration.
  public static func multiple<Answer, Choice: CaseIterable & RawRepresentable<String>>(
    _ title: String? = nil, _ property: KeyPath<Answer, [Choice]>, description: String? = nil,
    default defaultValue: [Choice]? = nil, count: ClosedRange<Int>? = nil
  ) -> Picker {
    multiple(
      title, name: property.name, description: description, choices: Choice.allCases.map(\.rawValue),
      default: defaultValue?.map(\.rawValue), count: count)
  }
}

extension AnyKeyPath {
  /// The property's name: a key path describes itself as `\\Address.street`.
  fileprivate var name: String { String("\(self)".split(separator: ".").last ?? "") }
}
