/// A field of a ``Form``: ``TextField``, ``SecureField``, ``NumberField``, ``Toggle`` or ``Picker``.
///
/// Each has a title, the key path of a member of the answer, and optionally a message beside the field. A field is required
/// unless its member is optional; `isRequired` overrides this. An empty field sets `nil` or an empty text; a number
/// or Boolean that is not optional keeps its value.
///
/// The default is the member's value. Set `isPrefilled` to `false` to start without a default.
public protocol FormField<Answer>: Sendable {
  associatedtype Answer: Codable & Sendable

  /// The field in the form's representation.
  var field: Form<Answer>.Field { get }
}

/// A line of text.
public struct TextField<Answer: Codable & Sendable>: FormField {
  public let field: Form<Answer>.Field

  /// - Parameters:
  ///   - path: The member, a `String` or a `String?`.
  ///   - length: The bounds in Unicode code points.
  ///   - pattern: A regular expression that must match somewhere in the text.
  ///   - format: The required syntax, such as an email address. A `.password` has no default.
  public init(
    _ title: String, _ path: any WritableKeyPath<Answer, some FormValue<String>> & Sendable, message: String? = nil,
    isRequired: Bool? = nil, length: ClosedRange<Int>? = nil, pattern: String? = nil,
    format: FormSchema.Property.Format? = nil
  ) {
    field = Form.Field(
      FormSchema.Property(
        name: "", kind: .string, title: title, description: message, minimumLength: length?.lowerBound,
        maximumLength: length?.upperBound, pattern: pattern, format: format),
      path, samples: ["a", "b"], isRequired: isRequired, isPrefilled: format != .password)
  }
}

/// A line of text that is hidden while it is typed. Makes the presentation sensitive, so the answer is never stored. Has no
/// default.
public struct SecureField<Answer: Codable & Sendable>: FormField {
  public let field: Form<Answer>.Field

  /// - Parameters:
  ///   - path: The member, a `String` or a `String?`.
  ///   - length: The bounds in Unicode code points.
  public init(
    _ title: String, _ path: any WritableKeyPath<Answer, some FormValue<String>> & Sendable, message: String? = nil,
    isRequired: Bool? = nil, length: ClosedRange<Int>? = nil
  ) {
    field = TextField(title, path, message: message, isRequired: isRequired, length: length, format: .password).field
  }
}

/// A number: whole for a member of an integer type.
public struct NumberField<Answer: Codable & Sendable>: FormField {
  public let field: Form<Answer>.Field

  /// - Parameters:
  ///   - path: The member, an integer or a floating-point number, or an optional of either.
  ///   - range: The bounds. An infinite bound, or an `Int`'s `.min` or `.max`, means no bound: `1 ... .max`.
  public init<Value: FormValue>(
    _ title: String, _ path: any WritableKeyPath<Answer, Value> & Sendable, message: String? = nil, isRequired: Bool? = nil,
    in range: ClosedRange<Value.Content>? = nil, isPrefilled: Bool = true
  ) where Value.Content: Numeric & Comparable & Encodable {
    let isWhole = Value.Content.self is any BinaryInteger.Type
    func bound(_ value: Value.Content?) -> JSONValue.Number? {
      guard let number = (try? JSONValue(encoding: value))?.number else { return nil }
      return isWhole && number.double.magnitude >= 0x1p63 ? nil : number
    }
    field = Form.Field(
      FormSchema.Property(
        name: "", kind: isWhole ? .integer : .number, title: title, description: message,
        minimum: bound(range?.lowerBound), maximum: bound(range?.upperBound)),
      path, samples: [1, 2], isRequired: isRequired, isPrefilled: isPrefilled)
  }
}

/// A Boolean. Without a default, the toggle starts undecided.
public struct Toggle<Answer: Codable & Sendable>: FormField {
  public let field: Form<Answer>.Field

  /// - Parameter path: The member, a `Bool` or a `Bool?`.
  public init(
    _ title: String, _ path: any WritableKeyPath<Answer, some FormValue<Bool>> & Sendable, message: String? = nil,
    isRequired: Bool? = nil, isPrefilled: Bool = true
  ) {
    field = Form.Field(
      FormSchema.Property(name: "", kind: .boolean, title: title, description: message), path, samples: [false, true],
      isRequired: isRequired, isPrefilled: isPrefilled)
  }
}
