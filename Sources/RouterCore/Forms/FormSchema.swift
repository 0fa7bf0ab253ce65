/// The fields of a sheet: a flat JSON Schema object of strings, numbers, integers, Booleans, enumerations and arrays of
/// choices, in form order.
///
/// ```swift
/// var form: FormSchema? {
///   FormSchema("Where to?") {
///     TextField("Street", name: "street", length: 1...100)
///     NumberField("House number", name: "number", isWhole: true, minimum: 1)
///     if isAbroad { Picker("Country", name: "country", choices: countries) }
///     Toggle("Remember this", name: "remember", default: true)
///   }
/// }
/// ```
///
/// The answer is a JSON object with one member for each field.
///
/// Supports the form subset of MCP's `elicitation/create`, with OpenAPI's `format: .password` for a secret and
/// `["string", "null"]` for a nullable field. Ignores annotations; rejects keywords that would change the meaning.
public struct FormSchema: Sendable, Hashable {
  public var title: String?
  public var description: String?
  public package(set) var properties: [Property]

  package init(title: String? = nil, description: String? = nil, properties: [Property]) {
    self.title = title
    self.description = description
    self.properties = properties
  }

  /// Whether a field is a secret, which makes the presentation sensitive.
  public var hasSecret: Bool { properties.contains(where: \.isSecret) }
}

extension FormSchema {
  /// Creates a form from the fields of a builder.
  public init(_ title: String? = nil, description: String? = nil, @ListBuilder<Property> fields: () -> [Property]) {
    self.init(title: title, description: description, properties: fields())
  }
}
