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

  /// What the person reads as its heading.
  var sheetTitle: TextState? { get }

  /// What the person reads below the heading.
  var sheetMessage: TextState? { get }

  /// The fields to fill in, whose values make the answer. Without a form any JSON value is an answer.
  var form: FormState? { get }
}

extension Sheet {
  /// The sheet itself.
  public var id: Self { self }
  /// No title: a presenter shows the name.
  public var sheetTitle: TextState? { nil }
  /// No message.
  public var sheetMessage: TextState? { nil }
  /// No form.
  public var form: FormState? { nil }
}

extension PresentationRequest {
  /// The sheet as the wire and the log have it: its name, its `Codable` form, its fields as a schema.
  ///
  /// - Parameters:
  ///   - sheet: What is to be shown.
  ///   - kind: Whether it is shown as a sheet or as a full-screen cover.
  /// - Throws: What the sheet's `encode(to:)` throws; `EncodingError` for a number that JSON does not have.
  public init(_ sheet: some Sheet, as kind: PresentationKind = .sheet) throws {
    self.init(
      kind: kind, title: sheet.sheetTitle?.plainText, message: sheet.sheetMessage?.plainText, sheet: sheet.sheetName,
      payload: try JSONValue(encoding: sheet), schema: sheet.form?.schema)
    keepStyles(of: sheet.sheetTitle, at: .title)
    keepStyles(of: sheet.sheetMessage, at: .message)
    normalize()
  }
}
