@testable import Router

/// What the checks found.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ text: String) {
    description = text
  }

  init(_ text: String, _ change: PresentationChange) {
    description = "\(text): \(change)"
  }

  /// The texts are built only when they are needed, which is hardly ever.
  static func unless(
    _ holds: Bool, _ text: @autoclosure () -> String, _ change: @autoclosure () -> PresentationChange
  ) throws(Violation) {
    if !holds { throw Violation(text(), change()) }
  }

  static func unless(_ holds: Bool, _ text: @autoclosure () -> String) throws(Violation) {
    if !holds { throw Violation(text()) }
  }
}
