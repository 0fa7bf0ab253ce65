/// A ``Form`` on the wire: a flat JSON Schema object of strings, numbers, integers, Booleans, enumerations and arrays of
/// choices, in form order. The answer is a JSON object with one member for each field.
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
