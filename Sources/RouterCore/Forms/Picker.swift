/// A choice of one string or enumeration case; of several for an array member.
///
/// The choices of an enumeration are its raw values. Its `Codable` form must also be the raw value, as it is by default.
public struct Picker<Answer: Codable & Sendable>: FormField {
  public let field: Form<Answer>.Field

  private init<Value: Codable & Sendable>(
    _ title: String, _ path: any WritableKeyPath<Answer, Value> & Sendable, message: String?, isRequired: Bool? = nil,
    choices: [String], count: ClosedRange<Int>? = nil, samples: [JSONValue], isArray: Bool = false, isPrefilled: Bool = true
  ) {
    field = Form.Field(
      FormSchema.Property(
        name: "", kind: isArray ? .array : .string, title: title, description: message,
        choices: choices.map(JSONValue.string), minimumCount: count?.lowerBound, maximumCount: count?.upperBound),
      path, samples: samples, isRequired: isRequired, isPrefilled: isPrefilled)
  }

  /// A choice of one string.
  ///
  /// - Parameters:
  ///   - path: The member, a `String` or a `String?`.
  ///   - choices: 1 to 256 distinct strings.
  public init(
    _ title: String, _ path: any WritableKeyPath<Answer, some FormValue<String>> & Sendable, message: String? = nil,
    isRequired: Bool? = nil, choices: [String]
  ) {
    self.init(title, path, message: message, isRequired: isRequired, choices: choices, samples: ["a", "b"])
  }

  /// A choice of several strings, in the order of the choices.
  ///
  /// - Parameters:
  ///   - choices: 1 to 10,000 distinct strings.
  ///   - count: The bounds of the number of chosen strings (default: any number).
  public init(
    _ title: String, _ path: any WritableKeyPath<Answer, [String]> & Sendable, message: String? = nil, choices: [String],
    count: ClosedRange<Int>? = nil
  ) {
    self.init(title, path, message: message, choices: choices, count: count, samples: [[], ["a"]], isArray: true)
  }

  /// A choice of one case.
  public init<Choice: Codable & Sendable & CaseIterable & RawRepresentable<String>>(
    _ title: String, _ path: any WritableKeyPath<Answer, Choice> & Sendable, message: String? = nil, isPrefilled: Bool = true
  ) {
    let choices = Choice.allCases.map(\.rawValue)
    self.init(
      title, path, message: message, choices: choices, samples: choices.prefix(2).map(JSONValue.string),
      isPrefilled: isPrefilled)
  }

  /// A choice of one case or none.
  public init<Choice: Codable & Sendable & CaseIterable & RawRepresentable<String>>(
    _ title: String, _ path: any WritableKeyPath<Answer, Choice?> & Sendable, message: String? = nil, isRequired: Bool = false
  ) {
    let choices = Choice.allCases.map(\.rawValue)
    self.init(
      title, path, message: message, isRequired: isRequired, choices: choices,
      samples: [.null] + choices.prefix(1).map(JSONValue.string))
  }

  /// A choice of several cases, in the order of their declaration.
  ///
  /// - Parameter count: The bounds of the number of chosen cases (default: any number).
  public init<Choice: Codable & Sendable & CaseIterable & RawRepresentable<String>>(
    _ title: String, _ path: any WritableKeyPath<Answer, [Choice]> & Sendable, message: String? = nil,
    count: ClosedRange<Int>? = nil
  ) {
    let choices = Choice.allCases.map(\.rawValue)
    self.init(
      title, path, message: message, choices: choices, count: count,
      samples: [[]] + choices.prefix(1).map { [.string($0)] }, isArray: true)
  }
}
