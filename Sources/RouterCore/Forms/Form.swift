/// The fields of a sheet, each for a member of the answer.
///
/// ```swift
/// struct PlayerEditor: Sheet {
///   var draft: Player
///
///   var form: Form<Player>? {
///     Form(draft) {
///       TextField("Name", \.name, length: 1...40)
///       NumberField("Number", \.number, in: 1...99)
///       Toggle("Captain", \.isCaptain)
///       if isAbroad { Picker("Country", \.country, choices: countries) }
///     }
///   }
/// }
/// ```
///
/// On the wire, a field has the name that its member has in the answer's `Codable` form. Its default is the member's value,
/// unless that is empty or violates the field's bounds or choices.
public struct Form<Answer: Codable & Sendable>: Sendable {
  let schema: @Sendable () throws(JSONError) -> FormSchema
  /// Decodes the person's answer. Throws a ``JSONError`` that names the invalid field.
  let read: @Sendable (JSONValue) throws(JSONError) -> Answer
}

extension Form {
  /// Creates a form that fills in a copy of an answer. Members without a field keep their values.
  ///
  /// Each field must set a whole member of the encoded answer, and each a different one. Otherwise showing the sheet throws a
  /// ``RouterError`` that names the field by its title. An invalid answer throws a ``RouterError`` whose ``RouterError/field``
  /// is a JSON Pointer to the member.
  public init(_ answer: Answer, @Builder fields: () -> [Field]) {
    let fields = Result { () throws(JSONError) in try Self.named(fields(), in: answer) }
    schema = { () throws(JSONError) in FormSchema(properties: try fields.get().map(\.property)) }
    read = { (value) throws(JSONError) in
      guard let members = value.object else { throw JSONError("it must be an object, not \(value.typeName)", at: "") }
      var answer = answer
      for field in try fields.get() { try field.read(members, into: &answer) }
      return answer
    }
  }

  private static func named(_ fields: [Field], in answer: Answer) throws(JSONError) -> [Field] {
    var named: [Field] = []
    for field in fields { named.append(try field.named(in: answer, after: named)) }
    return named
  }

  /// Builds the fields of a form, with `if`, `switch` and `for`.
  @resultBuilder
  public enum Builder {
    public static func buildExpression(_ field: some FormField<Answer>) -> [Field] { [field.field] }
    public static func buildBlock(_ parts: [Field]...) -> [Field] { parts.flatMap(\.self) }
    public static func buildArray(_ parts: [[Field]]) -> [Field] { parts.flatMap(\.self) }
    public static func buildOptional(_ part: [Field]?) -> [Field] { part ?? [] }
    public static func buildEither(first part: [Field]) -> [Field] { part }
    public static func buildEither(second part: [Field]) -> [Field] { part }
  }
}

extension Form where Answer == JSONValue {
  /// Creates a form from a JSON Schema, whose answer is JSON.
  public init(_ schema: FormSchema) {
    self.init(schema: { schema }, read: { $0 })
  }
}
