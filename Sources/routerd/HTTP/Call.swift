import NIOHTTP1
import Router

/// A request as a route's handler gets it: who asks for what, and the way back.
struct Call: Sendable {
  let request: Request
  let connected: Peer
  let roles: Set<Role>
  /// What stands in the path where the route has a parameter.
  let parameter: String
  let exchange: Exchange

  var peer: ProcessIdentity { connected.process }

  var isAdmin: Bool { roles.contains(.admin) }

  /// The presentation id in the path.
  ///
  /// - Throws: ``RouterError`` with `notFound` for anything that cannot be an id.
  func presentationID() throws -> PresentationID {
    guard let id = PresentationID(parameter) else {
      throw RouterError(.notFound, "cannot find the presentation \(parameter.prefix(64)): that is not an id")
    }
    return id
  }

  /// Whether a presentation is the caller's to ask about and cancel.
  func owns(_ presentation: Presentation) -> Bool {
    isAdmin || (roles.contains(.request) && presentation.requester.process.uid == peer.uid)
  }

  /// Whether the caller may see a presentation: requesters their own, presenters what is open.
  func maySee(_ presentation: Presentation) -> Bool {
    owns(presentation) || (roles.contains(.present) && presentation.state != .resolved)
  }

  /// Responds when a change to a presentation is on record.
  func change(
    _ id: PresentationID, on coordinator: isolated PresentationCoordinator,
    _ input: (PresentationID) -> PresentationInput
  ) {
    coordinator.change(id, input) { [exchange] in exchange.respond(with: $0) }
  }

  /// Goes on with a presentation that the caller may know of, open or ended.
  ///
  /// - Throws: ``RouterError`` with `notFound`, in the same words whether there is none or it is not theirs.
  func find(
    _ id: PresentationID, on coordinator: isolated PresentationCoordinator,
    where isTheirs: @escaping @Sendable (Presentation) -> Bool,
    then: @escaping @Sendable (Presentation, isolated PresentationCoordinator) throws -> Response?
  ) throws -> Response? {
    let notFound = RouterError(.notFound, "cannot find the presentation \(id)")
    if let presentation = coordinator.openPresentation(id) {
      guard isTheirs(presentation) else { throw notFound }
      return try then(presentation, coordinator)
    }
    exchange.run {
      try await coordinator.presentation(id)
    } then: { [coordinator] presentation in
      guard let presentation, isTheirs(presentation) else { throw notFound }
      return try coordinator.enter { try then(presentation, $0) }
    }
    return nil
  }
}
