import Hummingbird
import Router

/// What a handler knows of the request besides the request: whose connection it came on, and what they may do.
struct PeerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let peer: ProcessIdentity
  let roles: Set<Role>
  /// Whether the connection is one too many.
  let isTurnedAway: Bool
  let ending = RequestEnding()

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    guard let connection = Connection.current else { preconditionFailure("a request came on no connection") }
    peer = connection.peer.process
    roles = connection.roles
    isTurnedAway = connection.isTurnedAway
  }

  /// Whether the caller may do everything.
  var isAdmin: Bool { roles.contains(.admin) }
}

extension PeerContext {
  /// Whether a presentation is the caller's own to ask about and take back.
  func owns(_ presentation: Presentation) -> Bool {
    isAdmin || (roles.contains(.request) && presentation.requester.process.uid == peer.uid)
  }

  /// Whether the caller may see a presentation: requesters their own, presenters what is open.
  func maySee(_ presentation: Presentation) -> Bool {
    owns(presentation) || (roles.contains(.present) && presentation.state != .resolved)
  }
}

extension PresentationCoordinator {
  /// A presentation that somebody may know of.
  ///
  /// - Throws: ``RouterError`` with `notFound`, in the same words whether there is none or it is not theirs.
  func presentation(_ id: PresentationID, where isTheirs: (Presentation) -> Bool) async throws -> Presentation {
    guard let presentation = try await presentation(id), isTheirs(presentation) else {
      throw RouterError(.notFound, "cannot find the presentation \(id)")
    }
    return presentation
  }
}
