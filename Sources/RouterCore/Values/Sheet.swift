import OrderedCollections

/// A custom prompt, as a value that names the sheet and carries its data.
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
/// No other code is needed: the name on the wire is the name of the case or type, and the payload is the `Codable`
/// form.
public protocol Sheet: Prompt, Codable, Hashable, Identifiable {
  /// The type of the answer. A sheet without one can only be closed.
  associatedtype Answer: Codable & Sendable = Never

  /// The name of the type on the wire: 1 to 64 letters, digits, `.`, `_` and `-` (default: the type's name).
  static var sheetName: String { get }

  /// The name of this sheet on the wire (default: the case's name for an enum, otherwise the type's name).
  var sheetName: String { get }

  /// The heading (default: the presenter shows the name).
  var sheetTitle: String? { get }

  /// The text below the heading.
  var sheetMessage: String? { get }

  /// The fields of the answer. Without a form, any JSON value is a valid answer.
  ///
  /// Each field must have the name that it has in the `Codable` form of `Answer`; otherwise showing the sheet throws.
  var form: FormSchema? { get }
}

extension Sheet {
  public var id: Self { self }
  public var sheetTitle: String? { nil }
  public var sheetMessage: String? { nil }
  public var form: FormSchema? { nil }
}

extension PresentationRequest {
  /// The sheet as sent on the wire and recorded: its name, its `Codable` form and its fields as a schema.
  ///
  /// - Throws: Any error of the sheet's `encode(to:)`; `EncodingError` for a number that JSON cannot represent;
  ///   ``RouterError`` if the form has a field that the sheet's `Answer` does not read.
  public init<S: Sheet>(_ sheet: S, as kind: PresentationKind = .sheet) throws {
    self.init(
      kind: kind, title: sheet.sheetTitle, message: sheet.sheetMessage, sheet: sheet.sheetName,
      payload: try JSONValue(encoding: sheet), schema: sheet.form)
    hasAnswer = S.Answer.self != Never.self || schema != nil
    normalize()
    try schema?.checkFields(areReadBy: S.Answer.self, of: "the sheet \(sheet.sheetName)")
  }
}

extension Sheet {
  public static var sheetName: String { fitted(String(describing: Self.self)) ?? "sheet" }

  public var sheetName: String { caseName.flatMap(Self.fitted) ?? Self.sheetName }

  /// The name of an enum's case in its `Codable` form: the key of `{"contact": {…}}`, or the raw value.
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
