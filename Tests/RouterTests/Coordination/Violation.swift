@testable import Router

/// What the checks found.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ text: String) {
    description = text
  }

  init(_ text: String, _ event: Event) {
    description = "\(text): \(event)"
  }

  /// The texts are built only when they are needed, which is hardly ever.
  static func unless(
    _ holds: Bool, _ text: @autoclosure () -> String, _ event: @autoclosure () -> Event
  ) throws(Violation) {
    if !holds { throw Violation(text(), event()) }
  }

  static func unless(_ holds: Bool, _ text: @autoclosure () -> String) throws(Violation) {
    if !holds { throw Violation(text()) }
  }
}
