/// A field of a ``FormSchema``: ``TextField``, ``SecureField``, ``NumberField``, ``Toggle`` or ``Picker``.
///
/// Each field has a title for display (default: its name), the name of the answer's member, and whether it is required
/// (default: yes).
public protocol FormField: Sendable, Hashable {
  /// The field's schema, as sent on the wire.
  var property: FormSchema.Property { get }
}

/// A line of text.
public struct TextField: FormField {
  public let property: FormSchema.Property

  /// - Parameters:
  ///   - length: The bounds in Unicode code points.
  ///   - pattern: A regular expression that must match somewhere in the text.
  ///   - format: The required syntax, such as an email address.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true,
    default defaultValue: String? = nil, length: ClosedRange<Int>? = nil, pattern: String? = nil,
    format: FormSchema.Property.Format? = nil
  ) {
    property = FormSchema.Property(
      name: name, kind: .string, title: title, description: description, isRequired: isRequired,
      defaultValue: defaultValue.map(JSONValue.string), minimumLength: length?.lowerBound,
      maximumLength: length?.upperBound, pattern: pattern, format: format)
  }
}

/// A line of text that is hidden while it is typed. Makes the presentation sensitive, so the answer is never stored.
public struct SecureField: FormField {
  public let property: FormSchema.Property

  /// - Parameter length: The bounds in Unicode code points.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true,
    length: ClosedRange<Int>? = nil
  ) {
    property = FormSchema.Property(
      name: name, kind: .string, title: title, description: description, isRequired: isRequired,
      minimumLength: length?.lowerBound, maximumLength: length?.upperBound, format: .password)
  }
}

/// A number, optionally restricted to integers.
public struct NumberField: FormField {
  public let property: FormSchema.Property

  /// Ignores a default or bound that is not finite, since JSON cannot represent it.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true, isWhole: Bool = false,
    default defaultValue: Double? = nil, minimum: Double? = nil, maximum: Double? = nil
  ) {
    property = FormSchema.Property(
      name: name, kind: isWhole ? .integer : .number, title: title, description: description, isRequired: isRequired,
      defaultValue: defaultValue.flatMap(JSONValue.Number.init).map(JSONValue.number),
      minimum: minimum.flatMap(JSONValue.Number.init), maximum: maximum.flatMap(JSONValue.Number.init))
  }
}

/// A Boolean.
public struct Toggle: FormField {
  public let property: FormSchema.Property

  /// Without a default, the toggle starts undecided.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true,
    default defaultValue: Bool? = nil
  ) {
    property = FormSchema.Property(
      name: name, kind: .boolean, title: title, description: description, isRequired: isRequired,
      defaultValue: defaultValue.map(JSONValue.bool))
  }
}

/// A choice of one text, or with ``multiple(_:name:description:isRequired:choices:default:count:)`` of several.
public struct Picker: FormField {
  public let property: FormSchema.Property

  /// - Parameter choices: 1 to 256 distinct texts.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true, choices: [String],
    default defaultValue: String? = nil
  ) {
    property = FormSchema.Property(
      name: name, kind: .string, title: title, description: description, isRequired: isRequired,
      defaultValue: defaultValue.map(JSONValue.string), choices: choices.map(JSONValue.string))
  }

  private init(_ property: FormSchema.Property) { self.property = property }

  /// A choice of several texts, answered with an array in the order of the choices.
  ///
  /// - Parameters:
  ///   - choices: 1 to 10,000 distinct texts.
  ///   - count: The bounds of the number of chosen texts (default: any number).
  public static func multiple(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true, choices: [String],
    default defaultValue: [String]? = nil, count: ClosedRange<Int>? = nil
  ) -> Picker {
    Picker(
      FormSchema.Property(
        name: name, kind: .array, title: title, description: description, isRequired: isRequired,
        defaultValue: defaultValue.map { .array($0.map(JSONValue.string)) }, choices: choices.map(JSONValue.string),
        minimumCount: count?.lowerBound, maximumCount: count?.upperBound))
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
