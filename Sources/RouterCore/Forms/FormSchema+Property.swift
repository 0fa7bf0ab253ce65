extension FormSchema {
  /// One field of a form.
  public struct Property: Sendable, Hashable {
    /// The type of a field's value.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      case string, number, integer, boolean
      /// Several of the string choices, each at most once.
      case array
    }

    /// The member's name in the answer.
    public package(set) var name: String
    public package(set) var kind: Kind
    public package(set) var title: String?
    public package(set) var description: String?
    /// Whether the answer must contain the member.
    public package(set) var isRequired: Bool
    /// Whether an empty field may be null. If the field is also required, an empty field is answered with null.
    public package(set) var isNullable: Bool
    /// The initial value; at most 256 bytes of text if there is a pattern.
    public package(set) var defaultValue: JSONValue?
    /// The allowed values; `nil` for any value.
    public package(set) var choices: [JSONValue]?
    /// The labels of the choices; `nil` to show the values.
    public package(set) var choiceTitles: [String]?
    /// The minimum number of choices in an array.
    public package(set) var minimumCount: Int?
    /// The maximum number of choices in an array.
    public package(set) var maximumCount: Int?
    /// The minimum length in Unicode code points, as in JSON Schema.
    public package(set) var minimumLength: Int?
    /// The maximum length in Unicode code points.
    public package(set) var maximumLength: Int?
    public package(set) var minimum: JSONValue.Number?
    public package(set) var maximum: JSONValue.Number?
    /// A regular expression that must match somewhere in the text, as in JSON Schema. Matching takes linear time:
    /// back-references, look-around, `\b` and `\p` are refused.
    public package(set) var pattern: String?
    /// The required syntax of the text; `nil` for any text.
    public package(set) var format: Format?

    package init(
      name: String, kind: Kind, title: String? = nil, description: String? = nil, isRequired: Bool = false,
      isNullable: Bool = false, defaultValue: JSONValue? = nil, choices: [JSONValue]? = nil,
      choiceTitles: [String]? = nil, minimumCount: Int? = nil, maximumCount: Int? = nil,
      minimumLength: Int? = nil, maximumLength: Int? = nil, minimum: JSONValue.Number? = nil, maximum: JSONValue.Number? = nil,
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
      self.choiceTitles = choiceTitles
      self.minimumCount = minimumCount
      self.maximumCount = maximumCount
      self.minimumLength = minimumLength
      self.maximumLength = maximumLength
      self.minimum = minimum
      self.maximum = maximum
      self.pattern = pattern
      self.format = format
    }

    /// The compiled pattern; `nil` if there is none. Not stored, since it may be a hundred times larger than its text.
    var matcher: Result<FormPattern, JSONError>? {
      pattern.map { pattern in Result { () throws(JSONError) in try FormPattern(pattern) } }
    }

    /// Whether the person may leave the field empty.
    public var mayBeEmpty: Bool { !isRequired || isNullable || mayBeEmptyArray }

    private var mayBeEmptyArray: Bool { kind == .array && minimumCount ?? 0 == 0 }

    /// The value of an empty field in the answer: an empty array if it is valid, null for a required member, otherwise none.
    package var emptyValue: JSONValue? {
      if mayBeEmptyArray { return .array([]) }
      return isRequired && isNullable ? .some(.null) : .none
    }

    /// Whether the input is hidden while it is typed.
    public var isSecret: Bool { format == .password }

    /// The text beside the field.
    public var label: String { title ?? name }
  }
}
