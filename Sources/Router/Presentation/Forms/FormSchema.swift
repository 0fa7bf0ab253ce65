/// A sheet's fields: a flat JSON Schema object of strings, numbers, integers, booleans and enumerations, in the order of the
/// form.
///
/// This is the form subset of MCP's `elicitation/create`, with OpenAPI's `format: .password` for a secret and `["string",
/// "null"]` for a field that may be null. Annotations are ignored; keywords that would change the meaning are refused.
public struct FormSchema: Sendable, Hashable {
  public var title: String?
  public var description: String?
  public var properties: [FormProperty]

  public init(title: String? = nil, description: String? = nil, properties: [FormProperty]) {
    self.title = title
    self.description = description
    self.properties = properties
  }

  /// Whether a field is a secret, which makes the presentation sensitive.
  public var hasSecret: Bool { properties.contains(where: \.isSecret) }
}

/// One field of a form.
public struct FormProperty: Sendable, Hashable {
  /// What a field takes.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case string, number, integer, boolean
  }

  /// The member's name in the answer.
  public var name: String
  public var kind: Kind
  public var title: String?
  public var description: String?
  /// Whether the answer must have the member.
  public var isRequired: Bool
  /// Whether the member may be null, for a field left empty. An empty required field is answered with null.
  public var isNullable: Bool
  /// What the field starts with; at most 256 bytes of text where there is a pattern.
  public var defaultValue: JSONValue?
  /// The values to choose from; `nil` where any will do.
  public var choices: [JSONValue]?
  /// In Unicode code points, as JSON Schema counts them.
  public var minimumLength: Int?
  public var maximumLength: Int?
  public var minimum: JSONNumber?
  public var maximum: JSONNumber?
  /// A regular expression that must match somewhere in the text, as in JSON Schema; ``FormPattern`` says what it may have.
  public var pattern: String? {
    didSet { matcher = Self.matcher(pattern) }
  }
  /// What the text must be; `nil` where any text will do.
  public var format: Format?
  /// The pattern, compiled once; `nil` if there is none.
  private(set) var matcher: Result<FormPattern, JSONError>?

  public init(
    name: String, kind: Kind, title: String? = nil, description: String? = nil, isRequired: Bool = false,
    isNullable: Bool = false, defaultValue: JSONValue? = nil, choices: [JSONValue]? = nil,
    minimumLength: Int? = nil, maximumLength: Int? = nil, minimum: JSONNumber? = nil, maximum: JSONNumber? = nil,
    pattern: String? = nil, format: Format? = nil
  ) {
    self.name = name
    self.kind = kind
    self.title = title
    self.description = description
    self.isRequired = isRequired
    self.isNullable = isNullable
    self.defaultValue = defaultValue
    self.choices = choices
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
    self.format = format
    matcher = Self.matcher(pattern)
  }

  private static func matcher(_ pattern: String?) -> Result<FormPattern, JSONError>? {
    pattern.map { pattern in Result { () throws(JSONError) in try FormPattern(pattern) } }
  }

  /// Whether the person may leave the field empty.
  public var mayBeEmpty: Bool { !isRequired || isNullable }

  /// What an empty field adds to the answer: null where the member must be there, else nothing.
  package var emptyValue: JSONValue? { isRequired && isNullable ? .some(.null) : .none }

  /// Whether what is typed must be hidden.
  public var isSecret: Bool { format == .password }

  /// What a person reads beside the field.
  public var label: String { title ?? name }
}
