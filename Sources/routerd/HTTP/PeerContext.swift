import Hummingbird
import Router

/// What a handler knows of the request besides the request: whose connection it came on.
struct PeerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let peer: ProcessIdentity

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    guard let peer = PeerChannel.peer else { preconditionFailure("a request came on no connection") }
    self.peer = peer
  }

  /// Root and the daemon's own user may do everything.
  var isAdmin: Bool { peer.uid == 0 || peer.uid == ProcessIdentity.current.uid }
}
