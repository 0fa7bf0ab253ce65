/// The type of a member that a ``TextField``, ``SecureField``, ``NumberField``, ``Toggle`` or ``Picker`` fills in: `String`,
/// `Bool`, a numeric type, or an optional of one of these.
public protocol FormValue<Content>: Codable, Sendable {
  /// The unwrapped type of an optional; otherwise the type itself.
  associatedtype Content = Self
}

extension String: FormValue {}
extension Bool: FormValue {}
extension Double: FormValue {}
extension Float: FormValue {}
extension Int: FormValue {}
extension Int8: FormValue {}
extension Int16: FormValue {}
extension Int32: FormValue {}
extension Int64: FormValue {}
extension UInt: FormValue {}
extension UInt8: FormValue {}
extension UInt16: FormValue {}
extension UInt32: FormValue {}
extension UInt64: FormValue {}

extension Optional: FormValue where Wrapped: FormValue {
  public typealias Content = Wrapped.Content
}
