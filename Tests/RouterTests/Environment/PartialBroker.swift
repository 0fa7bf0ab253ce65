import Router

/// A broker of a test that only takes requests.
protocol PartialBroker: PresentationBroker {}

extension PartialBroker {
  func attach(presenter name: String, to surface: String) -> PresenterAttachment { preconditionFailure("not called") }
  func presentations(surface: String?) async throws -> [Presentation] { preconditionFailure("not called") }
  func presentation(_ id: PresentationID) async throws -> Presentation { preconditionFailure("not called") }
  func resolved(_ id: PresentationID) async throws -> Presentation { preconditionFailure("not called") }
  func cancel(_ id: PresentationID) async throws -> Presentation { preconditionFailure("not called") }
}
