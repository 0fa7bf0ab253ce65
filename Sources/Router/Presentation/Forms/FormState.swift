/// A form declared in Swift.
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
/// The answer is a JSON object with one member for each field.
public typealias FormState = FormSchema

extension FormSchema {
  /// Creates a form from the fields of a builder.
  public init(_ title: String? = nil, description: String? = nil, @ListBuilder<FormProperty> fields: () -> [FormProperty]) {
    self.init(title: title, description: description, properties: fields())
  }
}
