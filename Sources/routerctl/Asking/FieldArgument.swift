import ArgumentParser
import Router

/// One form field on the command line: `NAME:TYPE[=DEFAULT]`, with a `!` after the type of a required field.
struct FieldArgument: Sendable, Hashable {
  let property: FormSchema.Property

  /// - Throws: `ValidationError` with the invalid part.
  init(_ argument: String) throws {
    let halves = argument.cut(at: "=")
    let field = halves?.before ?? argument[...]
    let parts = field.cut(at: ":")
    let name = String(parts?.before ?? field)
    guard !name.isEmpty else { throw ValidationError("The name is missing.") }
    var type = parts.map { String($0.after) } ?? "string"
    let isRequired = type.ends(with: "!")
    if isRequired { type.removeLast() }
    var property = try Self.property(name, type)
    property.isRequired = isRequired
    // JSON Schema's "required" accepts the empty string; for a person, a required field must not be empty.
    if isRequired, property.kind == .string { property.minimumLength = 1 }
    if isRequired, property.kind == .array { property.minimumCount = 1 }
    if let halves {
      guard let value = property.value(typed: String(halves.after)), property.problem(with: value) == nil else {
        throw ValidationError("The default is not a value of the type \(type).")
      }
      property.defaultValue = value
    }
    self.property = property
  }

  private static func property(_ name: String, _ type: String) throws -> FormSchema.Property {
    if let format = FormSchema.Property.Format(rawValue: type) {
      return FormSchema.Property(name: name, kind: .string, format: format)
    }
    if let kind = FormSchema.Property.Kind(rawValue: type), kind != .array {
      return FormSchema.Property(name: name, kind: kind)
    }
    let isArray = type.begins(with: "[") && type.ends(with: "]")
    let list = isArray ? type.dropFirst().dropLast() : type[...]
    let choices = list.split(at: "|", omittingEmptySubsequences: false).map { String($0) }
    guard choices.count > 1 else {
      let kinds = FormSchema.Property.Kind.allCases.filter { $0 != .array }.map(\.rawValue)
      let types = kinds + FormSchema.Property.Format.allCases.map(\.rawValue)
      throw ValidationError("Expected one of these types: \(types.joined(separator: ", ")); or choices, as S|M|L or [S|M|L].")
    }
    guard !choices.contains(""), Set(choices).count == choices.count else {
      throw ValidationError("The choices must differ, and none may be empty.")
    }
    return FormSchema.Property(name: name, kind: isArray ? .array : .string, choices: choices.map(JSONValue.string))
  }
}
