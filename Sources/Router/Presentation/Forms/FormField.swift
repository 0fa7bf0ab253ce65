/// A field of a ``FormState``: ``TextField``, ``SecureField``, ``NumberField``, ``Toggle`` or ``Picker``.
///
/// All take the title that the person reads (default: the name), the name of the answer's member, and whether the field must be
/// filled in (default: yes).
public protocol FormField: Sendable, Hashable {
  /// The field as it is on the wire.
  var property: FormProperty { get }
}

/// A line of text.
public struct TextField: FormField {
  public let property: FormProperty

  /// - Parameters:
  ///   - length: The bounds in Unicode code points.
  ///   - pattern: A ``FormPattern`` that must match somewhere in the text.
  ///   - format: A syntax that the text must have, such as an email address.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true,
    default defaultValue: String? = nil, length: ClosedRange<Int>? = nil, pattern: String? = nil,
    format: FormProperty.Format? = nil
  ) {
    property = FormProperty(
      name: name, kind: .string, title: title, description: description, isRequired: isRequired,
      defaultValue: defaultValue.map(JSONValue.string), minimumLength: length?.lowerBound,
      maximumLength: length?.upperBound, pattern: pattern, format: format)
  }
}

/// A line of text that is hidden while it is typed. It makes the presentation sensitive: the answer is never stored.
public struct SecureField: FormField {
  public let property: FormProperty

  /// - Parameter length: The bounds in Unicode code points.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true,
    length: ClosedRange<Int>? = nil
  ) {
    property = FormProperty(
      name: name, kind: .string, title: title, description: description, isRequired: isRequired,
      minimumLength: length?.lowerBound, maximumLength: length?.upperBound, format: .password)
  }
}

/// A number, whole or not.
public struct NumberField: FormField {
  public let property: FormProperty

  /// A default or a bound that is not finite is left out: JSON has no such number.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true, isWhole: Bool = false,
    default defaultValue: Double? = nil, minimum: Double? = nil, maximum: Double? = nil
  ) {
    property = FormProperty(
      name: name, kind: isWhole ? .integer : .number, title: title, description: description, isRequired: isRequired,
      defaultValue: defaultValue.flatMap(JSONNumber.init).map(JSONValue.number),
      minimum: minimum.flatMap(JSONNumber.init), maximum: maximum.flatMap(JSONNumber.init))
  }
}

/// Yes or no.
public struct Toggle: FormField {
  public let property: FormProperty

  /// A toggle with a default, or undecided.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true,
    default defaultValue: Bool? = nil
  ) {
    property = FormProperty(
      name: name, kind: .boolean, title: title, description: description, isRequired: isRequired,
      defaultValue: defaultValue.map(JSONValue.bool))
  }
}

/// One of several texts.
public struct Picker: FormField {
  public let property: FormProperty

  /// - Parameter choices: 1 to 256 different texts.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true, choices: [String],
    default defaultValue: String? = nil
  ) {
    property = FormProperty(
      name: name, kind: .string, title: title, description: description, isRequired: isRequired,
      defaultValue: defaultValue.map(JSONValue.string), choices: choices.map(JSONValue.string))
  }

  /// A picker of an enumeration's raw values.
  public init<Choice: CaseIterable & RawRepresentable<String>>(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true, of choices: Choice.Type,
    default defaultValue: Choice? = nil
  ) {
    self.init(
      title, name: name, description: description, isRequired: isRequired, choices: choices.allCases.map(\.rawValue),
      default: defaultValue?.rawValue)
  }
}
