@testable import Router
@testable import RouterCore
@testable import RouterSystem

/// JSON on the wire and in the log, and an environment lookup.
enum Texts {
  static var subjects: [Micro.Subject] {
    let presentation = Sample.presentation(PresentationIDGenerator().next(at: PresentationClock.system.wall()))
    let request = Sample.request.jsonText.description
    let screen = Screen()
    return [
      Micro.Subject(name: "a presentation as JSON", count: 1000) { count in
        for _ in 0..<count { blackHole(presentation.jsonText.bytes) }
      },
      Micro.Subject(name: "a request from JSON", count: 1000) { count in
        for _ in 0..<count { blackHole(try PresentationRequest(json: JSONValue(parsing: request))) }
      },
      Micro.Subject(name: "@Environment(\\.showAlert)", count: 20_000) { count in
        for _ in 0..<count { blackHole(screen.showAlert) }
      },
    ]
  }

  /// Code that asks, as in an app.
  private struct Screen: Sendable {
    @Environment(\.showAlert) var showAlert
  }
}
