/// A field of a ``FormState``: ``TextField``, ``SecureField``, ``NumberField``, ``Toggle`` or ``Picker``.
///
/// Each is its ``FormProperty`` with an initializer that says what goes with it, so that nothing is lost on the way to the
/// wire and back. A field is required unless said otherwise, as a property of an `Answer` is that is not optional.
public protocol FormField: Sendable, Hashable {
  /// The field as the wire has it.
  var property: FormProperty { get }
}

extension FormField {
  /// The member's name in the answer.
  public var name: String { property.name }
  /// What the person reads beside the field.
  public var label: String { property.label }
  /// Whether the answer must have it.
  public var isRequired: Bool { property.isRequired }
}

/// A line of text.
public struct TextField: FormField {
  /// The field as the wire has it.
  public let property: FormProperty

  /// - Parameters:
  ///   - title: What the person reads before it; its name where it is left out.
  ///   - name: The member of the answer that has its value.
  ///   - description: What else the person should know of it.
  ///   - isRequired: Whether it must be filled in.
  ///   - defaultValue: What it has before the person changes it.
  ///   - length: How many Unicode code points it may have.
  ///   - pattern: A regular expression that must match somewhere in the text; ``FormPattern`` says what it may have.
  ///   - format: What the text must be, such as an email address.
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

  init(property: FormProperty) {
    self.property = property
  }
}

/// A line of text that is hidden while it is typed. It makes the presentation sensitive: the answer is never stored.
public struct SecureField: FormField {
  /// The field as the wire has it.
  public let property: FormProperty

  /// - Parameters:
  ///   - title: What the person reads before it; its name where it is left out.
  ///   - name: The member of the answer that has its value.
  ///   - description: What else the person should know of it.
  ///   - isRequired: Whether it must be filled in.
  ///   - length: How many Unicode code points it may have.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true,
    length: ClosedRange<Int>? = nil
  ) {
    property = FormProperty(
      name: name, kind: .string, title: title, description: description, isRequired: isRequired,
      minimumLength: length?.lowerBound, maximumLength: length?.upperBound, format: .password)
  }

  init(property: FormProperty) {
    self.property = property
  }
}

/// A number, whole or not.
public struct NumberField: FormField {
  /// The field as the wire has it.
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

  init(property: FormProperty) {
    self.property = property
  }
}

/// Yes or no.
public struct Toggle: FormField {
  /// The field as the wire has it.
  public let property: FormProperty

  /// A toggle that starts as said, or undecided.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true,
    default defaultValue: Bool? = nil
  ) {
    property = FormProperty(
      name: name, kind: .boolean, title: title, description: description, isRequired: isRequired,
      defaultValue: defaultValue.map(JSONValue.bool))
  }

  init(property: FormProperty) {
    self.property = property
  }
}

/// One of several texts.
public struct Picker: FormField {
  /// The field as the wire has it.
  public let property: FormProperty

  /// - Parameters:
  ///   - title: What the person reads before it; its name where it is left out.
  ///   - name: The member of the answer that has its value.
  ///   - description: What else the person should know of it.
  ///   - isRequired: Whether it must be filled in.
  ///   - choices: 1 to 256 different texts.
  ///   - defaultValue: What it has before the person changes it.
  public init(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true, choices: [String],
    default defaultValue: String? = nil
  ) {
    property = FormProperty(
      name: name, kind: .string, title: title, description: description, isRequired: isRequired,
      defaultValue: defaultValue.map(JSONValue.string), choices: choices.map(JSONValue.string))
  }

  /// A picker of an enumeration's cases, by their raw values.
  public init<Choice: CaseIterable & RawRepresentable<String>>(
    _ title: String? = nil, name: String, description: String? = nil, isRequired: Bool = true, of choices: Choice.Type,
    default defaultValue: Choice? = nil
  ) {
    self.init(
      title, name: name, description: description, isRequired: isRequired, choices: choices.allCases.map(\.rawValue),
      default: defaultValue?.rawValue)
  }

  init(property: FormProperty) {
    self.property = property
  }
}
