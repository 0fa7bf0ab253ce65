import OrderedCollections

/// Something to show that is more than an alert: a value that says which sheet it is and what it needs.
///
/// ```swift
/// enum AppSheet: Sheet {
///   case settings
///   case contact(String)
/// }
///
/// struct PickAddress: Sheet {
///   typealias Answer = Address
///   var recent: [Address]
/// }
/// ```
///
/// The declaration is enough: the name on the wire is the case's or the type's, the payload is the `Codable` form.
public protocol Sheet: Codable, Sendable, Hashable, Identifiable {
  /// What the sheet is answered with. A sheet without one is only closed.
  associatedtype Answer: Codable & Sendable = Never

  /// The name of the type on the wire: 1 to 64 of letters, digits, `.`, `_` and `-`. The type's name unless said otherwise.
  static var sheetName: String { get }

  /// The name of this sheet on the wire. An enum's is that of the case unless said otherwise, anything else's the type's.
  var sheetName: String { get }

  /// The heading (default: the presenter shows the name).
  var sheetTitle: TextState? { get }

  /// The text below the heading.
  var sheetMessage: TextState? { get }

  /// The fields whose values make the answer. Without a form any JSON value is an answer.
  ///
  /// Name each field as the `Codable` form of `Answer` does. Showing a sheet with another name throws.
  var form: FormState? { get }
}

extension Sheet {
  public var id: Self { self }
  public var sheetTitle: TextState? { nil }
  public var sheetMessage: TextState? { nil }
  public var form: FormState? { nil }
}

extension PresentationRequest {
  /// The sheet on the wire and in the log: its name, its `Codable` form, its fields as a schema.
  ///
  /// - Throws: What the sheet's `encode(to:)` throws; `EncodingError` for a number that JSON does not have; ``RouterError``
  ///   if the form has a field that the sheet's `Answer` does not have.
  public init<S: Sheet>(_ sheet: S, as kind: PresentationKind = .sheet) throws {
    self.init(
      kind: kind, title: sheet.sheetTitle, message: sheet.sheetMessage, sheet: sheet.sheetName,
      payload: try JSONValue(encoding: sheet), schema: sheet.form)
    normalize()
    try schema?.checkFields(areReadBy: S.Answer.self, of: "the sheet \(sheet.sheetName)")
  }
}

extension Sheet {
  public static var sheetName: String { fitted(String(describing: Self.self)) ?? "sheet" }

  public var sheetName: String { caseName.flatMap(Self.fitted) ?? Self.sheetName }

  /// The name of an enum's case in its `Codable` form: the key of `{"contact": {…}}`, or the raw value of an enum of strings.
  private var caseName: String? {
    guard Mirror(reflecting: self).displayStyle == .enum, let coded = try? JSONValue(encoding: self) else { return nil }
    switch coded {
    case .string(let text): return text
    case .object(let members): return members.count == 1 ? members.keys.first : nil
    case .null, .bool, .number, .array: return nil
    }
  }

  private static func fitted(_ name: String) -> String? {
    let name = String(String.UnicodeScalarView(name.unicodeScalars.filter(\.isNameScalar).prefix(64)))
    return name.isEmpty ? nil : name
  }
}

extension Sheet {
  func answer(from answer: PresentationAnswer, calledBy designation: String) throws -> Answer {
    guard case .value(let value) = answer else {
      throw RouterError(.invalid, "cannot read the answer to \(designation): it is not a value")
    }
    do {
      return try value.decode(Answer.self)
    } catch {
      throw RouterError(.invalid, "cannot read the answer to \(designation) as \(Answer.self)", cause: error)
    }
  }
}
