/// A sheet's fields as values.
///
/// ```swift
/// var form: FormState? {
///   FormState("Where to?") {
///     TextField("Street", name: "street", length: 1...100)
///     NumberField("House number", name: "number", isWhole: true, minimum: 1)
///     if isAbroad { Picker("Country", name: "country", choices: countries) }
///     Toggle("Remember this", name: "remember", default: true)
///   }
/// }
/// ```
///
/// The answer is a JSON object with one member for each field. A form becomes, and reads back, the ``FormSchema`` of the wire.
public struct FormState: Sendable, Hashable {
  /// What the person reads above the fields.
  public var title: String?
  /// What the person reads below the title.
  public var description: String?
  /// The fields, in the order of the form.
  public var fields: [Field]

  /// A form of the fields that the builder makes.
  public init(_ title: String? = nil, description: String? = nil, @FormStateBuilder fields: () -> [Field]) {
    self.title = title
    self.description = description
    self.fields = fields()
  }

  /// One field, by what it is made of.
  public enum Field: Sendable, Hashable {
    /// A line of text.
    case text(TextField)
    /// A hidden line of text.
    case secure(SecureField)
    /// A number.
    case number(NumberField)
    /// Yes or no.
    case toggle(Toggle)
    /// One of several values.
    case picker(Picker)
  }
}

extension FormState {
  /// The form as the wire has it.
  public var schema: FormSchema {
    FormSchema(title: title, description: description, properties: fields.map(\.property))
  }

  /// Reads back what ``schema`` writes, and any other schema of the subset.
  public init(_ schema: FormSchema) {
    title = schema.title
    description = schema.description
    fields = schema.properties.map(Field.init)
  }
}

extension FormState.Field {
  /// The field as the wire has it.
  public var property: FormProperty {
    switch self {
    case .text(let field): field.property
    case .secure(let field): field.property
    case .number(let field): field.property
    case .toggle(let field): field.property
    case .picker(let field): field.property
    }
  }

  /// Reads a field back: what has choices is a picker, whatever its type.
  public init(_ property: FormProperty) {
    switch property.kind {
    case _ where property.choices != nil: self = .picker(Picker(property: property))
    case .string where property.isSecret: self = .secure(SecureField(property: property))
    case .string: self = .text(TextField(property: property))
    case .number, .integer: self = .number(NumberField(property: property))
    case .boolean: self = .toggle(Toggle(property: property))
    }
  }
}

/// Builds the fields of a form, with `if`, `switch`, `for` and arrays.
@resultBuilder
public enum FormStateBuilder {
  /// One field.
  public static func buildExpression(_ field: some FormField) -> [FormState.Field] { [FormState.Field(field.property)] }
  /// An array of fields.
  public static func buildExpression(_ fields: [FormState.Field]) -> [FormState.Field] { fields }
  /// Statements one after the other.
  public static func buildBlock(_ parts: [FormState.Field]...) -> [FormState.Field] { parts.flatMap(\.self) }
  /// The turns of a `for`.
  public static func buildArray(_ parts: [[FormState.Field]]) -> [FormState.Field] { parts.flatMap(\.self) }
  /// An `if` without an `else`.
  public static func buildOptional(_ part: [FormState.Field]?) -> [FormState.Field] { part ?? [] }
  /// The first branch of an `if` or a `switch`.
  public static func buildEither(first part: [FormState.Field]) -> [FormState.Field] { part }
  /// The other branch of an `if` or a `switch`.
  public static func buildEither(second part: [FormState.Field]) -> [FormState.Field] { part }
  /// An `if #available`.
  public static func buildLimitedAvailability(_ part: [FormState.Field]) -> [FormState.Field] { part }
}
