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
  /// The type of the answer. A sheet with the default type can only be closed.
  associatedtype Answer: Codable & Sendable = Never

  /// The name of the type on the wire: 1 to 64 letters, digits, `.`, `_` and `-` (default: the type's name).
  static var sheetName: String { get }

  /// The name of this sheet on the wire (default: the case's name for an enum, otherwise the type's name).
  var sheetName: String { get }

  /// The heading (default: empty, and the presenter shows the name).
  var title: String { get }

  /// The text below the heading (default: empty).
  var message: String { get }

  /// The fields of the answer. Without a form, any JSON value is a valid answer.
  var form: Form<Answer>? { get }
}

extension Sheet {
  public var id: Self { self }
  public var title: String { "" }
  public var message: String { "" }
  public var form: Form<Answer>? { nil }
}

extension PresentationRequest {
  /// The sheet as sent on the wire and recorded: its name, its `Codable` form and its fields as a schema.
  ///
  /// - Throws: Any error of the sheet's `encode(to:)`; `EncodingError` for a number that JSON cannot represent; ``RouterError``
  ///   if a field of the form does not set a whole member of the answer, or if two set the same member.
  public init<S: Sheet>(_ sheet: S, as kind: PresentationKind = .sheet) throws {
    try self.init(sheet, sheet.form, as: kind)
  }

  init<S: Sheet>(_ sheet: S, _ form: Form<S.Answer>?, as kind: PresentationKind) throws {
    let schema: FormSchema?
    do throws(JSONError) {
      schema = try form?.schema()
    } catch {
      throw RouterError(.invalid, "cannot show the sheet \(sheet.sheetName): \(error.message)")
    }
    self.init(
      kind: kind, title: sheet.title.isEmpty ? nil : sheet.title, message: sheet.message.isEmpty ? nil : sheet.message,
      sheet: sheet.sheetName, payload: try JSONValue(encoding: sheet), schema: schema)
    hasAnswer = S.Answer.self != Never.self || schema != nil
    normalize()
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
