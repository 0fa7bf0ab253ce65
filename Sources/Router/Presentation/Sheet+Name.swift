import OrderedCollections

extension Sheet {
  /// The type's name, made to fit.
  public static var sheetName: String { fitted(String(describing: Self.self)) ?? "sheet" }

  /// The case's name for an enum, made to fit; the type's name for anything else.
  public var sheetName: String { caseName.flatMap(Self.fitted) ?? Self.sheetName }

  /// The name of an enum's case in its `Codable` form, which is the one on the wire: the key of `{"contact": {…}}`, or the
  /// raw value of an enum of strings.
  private var caseName: String? {
    guard Mirror(reflecting: self).displayStyle == .enum, let coded = try? JSONValue(encoding: self) else { return nil }
    switch coded {
    case .string(let text): return text
    case .object(let members): return members.count == 1 ? members.keys.first : nil
    case .null, .bool, .number, .array: return nil
    }
  }

  /// What a name has of letters, digits, `.`, `_` and `-`; `nil` if that is nothing.
  private static func fitted(_ name: String) -> String? {
    let name = String(String.UnicodeScalarView(name.unicodeScalars.filter(\.isNameScalar).prefix(64)))
    return name.isEmpty ? nil : name
  }
}
