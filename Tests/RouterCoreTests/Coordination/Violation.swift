import RouterCore

/// A failed check.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ text: String) {
    description = text
  }

  init(_ text: String, _ event: Event) {
    description = "\(text): \(event)"
  }

  /// Throws unless `holds`. Texts are built lazily, because they are rarely needed.
  static func unless(
    _ holds: Bool, _ text: @autoclosure () -> String, _ event: @autoclosure () -> Event
  ) throws(Violation) {
    if !holds { throw Violation(text(), event()) }
  }

  static func unless(_ holds: Bool, _ text: @autoclosure () -> String) throws(Violation) {
    if !holds { throw Violation(text()) }
  }
}
