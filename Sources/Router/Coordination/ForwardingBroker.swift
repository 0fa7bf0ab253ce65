/// A broker that forwards all calls except those that it overrides.
package protocol ForwardingBroker: PresentationBroker {
  var broker: any PresentationBroker { get }
}

extension ForwardingBroker {
  package func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    broker.attach(presenter: name, to: surface)
  }

  package func report(progress fraction: Double, label: String?, of id: PresentationID) async throws {
    try await broker.report(progress: fraction, label: label, of: id)
  }

  package func presentations(surface: String?) async throws -> [Presentation] {
    try await broker.presentations(surface: surface)
  }

  package func presentation(_ id: PresentationID) async throws -> Presentation { try await broker.presentation(id) }

  package func resolved(_ id: PresentationID) async throws -> Presentation { try await broker.resolved(id) }

  package func cancel(_ id: PresentationID) async throws -> Presentation { try await broker.cancel(id) }
}
