/// The screens of a flow from the root up, each with its last answer.
///
/// Read it with ``FlowProxy/path``, save it as JSON, and resume with `navigate(from:restoring:)`. Does not include answers to
/// sensitive sheets.
public struct FlowPath: Sendable, Hashable, Codable {
  package struct Screen: Sendable, Hashable, Codable {
    let sheet: String?
    let payload: JSONValue?
    package var answer: JSONValue?

    init(_ request: PresentationRequest, answer: JSONValue? = nil) {
      (sheet, payload, self.answer) = (request.sheet, request.payload, answer)
    }
  }

  package var screens: [Screen] = []

  /// The path of a flow at its root.
  public init() {}

  init(_ screens: [Screen]) { self.screens = screens }

  /// The names of the sheets, the root's first.
  public var sheets: [String] { screens.map { $0.sheet ?? "" } }
}

extension FlowPath {
  /// Returns the answer to a screen at a position. Restoring stops at the first screen that differs from the path or has no
  /// answer.
  mutating func answer(to request: PresentationRequest, at position: Int) -> JSONValue? {
    guard position < screens.count, screens[position] == Screen(request, answer: screens[position].answer) else {
      screens = []
      return nil
    }
    defer { if screens[position].answer == nil { screens = [] } }
    return screens[position].answer
  }
}
