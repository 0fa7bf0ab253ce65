import NIOCore
import NIOHTTP1
import Router

/// A request for a route's handler, with the caller and the exchange for the response.
struct Call: Sendable {
  let request: Request
  let connected: Peer
  let roles: Set<Role>
  /// This host's name on shared surfaces.
  let host: String
  /// The path component at the route's parameter.
  let parameter: String
  let exchange: Exchange

  var peer: ProcessIdentity { connected.process }

  var isAdmin: Bool { roles.contains(.admin) }

  /// The presentation id in the path.
  ///
  /// - Throws: ``RouterError`` with `notFound` if it is not a valid id.
  func presentationID() throws -> PresentationID {
    guard let id = PresentationID(parameter) else {
      throw RouterError(.notFound, "cannot find the prompt \(parameter.prefix(64)): that is not an id")
    }
    return id
  }

  /// Whether the caller may wait for and cancel a presentation.
  func owns(_ presentation: Presentation) -> Bool {
    let requester = presentation.requester.process
    return isAdmin
      || (roles.contains(.request) && requester.uid == peer.uid && (requester.host.isEmpty || requester.host == host))
  }

  /// Whether the caller may see a presentation: requesters see their own, presenters see open ones.
  func maySee(_ presentation: Presentation) -> Bool {
    owns(presentation) || (roles.contains(.present) && presentation.state != .resolved)
  }

  /// The size above which bodies are decoded off the event loop.
  static let maximumBytesOnLoop = 16 << 10

  /// Decodes the body, off the event loop if it is large, and passes the value to `then`.
  ///
  /// - Parameter isOptional: Whether an empty body counts as `{}`.
  func decode<Value: Sendable>(
    isOptional: Bool = false, on coordinator: isolated PresentationCoordinator,
    _ read: @escaping @Sendable (JSONValue) throws -> Value,
    then: @escaping @Sendable (Value, isolated PresentationCoordinator) throws -> Response?
  ) throws -> Response? {
    guard request.body.readableBytes > Self.maximumBytesOnLoop else {
      return try then(try read(try request.json(isOptional: isOptional)), coordinator)
    }
    exchange.run { [request] in
      try read(try request.json(isOptional: isOptional))
    } then: { [coordinator] value in
      try coordinator.enter { try then(value, $0) }
    }
    return nil
  }

  /// Finds an open or ended presentation that the caller may see, and passes it to `then`.
  ///
  /// - Throws: ``RouterError`` with `notFound`, regardless of whether the presentation is unknown or belongs to someone else.
  func find(
    _ id: PresentationID, on coordinator: isolated PresentationCoordinator,
    where isTheirs: @escaping @Sendable (Presentation) -> Bool,
    then: @escaping @Sendable (Presentation, isolated PresentationCoordinator) throws -> Response?
  ) throws -> Response? {
    let notFound = RouterError(.notFound, "cannot find the prompt \(id)")
    if let presentation = coordinator.openPresentation(id) {
      guard isTheirs(presentation) else { throw notFound }
      return try then(presentation, coordinator)
    }
    exchange.run {
      try await coordinator.presentation(id)
    } then: { [coordinator] presentation in
      guard isTheirs(presentation) else { throw notFound }
      return try coordinator.enter { try then(presentation, $0) }
    }
    return nil
  }
}
