import Crypto
import Router

/// The links that let a browser in, each once and not for long. They are in memory alone: a restart voids them.
final class WebLinks: Sendable {
  /// How long a link can be opened.
  static let lifetime = Duration.seconds(300)

  /// How many links one user may have that nobody has opened; the oldest goes when another is made.
  static let maximumPerUser = 8

  private struct Link {
    /// The token's hash: digests compare in constant time, and the token itself is not kept.
    let hash: SHA256.Digest
    let maker: UInt32
    let user: Peer
    let end: ContinuousClock.Instant
  }

  let socket: LoopbackSocket
  private let links: Mutex<[Link]> = Mutex([])

  init(socket: LoopbackSocket) {
    self.socket = socket
  }

  /// Where the page is.
  var address: WebAddress { socket.address }

  /// Makes a link that lets in a browser of a user, as that user.
  ///
  /// - Parameter maker: The uid of the user who asked for the link.
  func link(for user: Peer, madeBy maker: UInt32, at now: ContinuousClock.Instant = .now) -> String {
    let token = RandomBytes.hexadecimal(32)
    links.withLock { links in
      links.removeAll { $0.end <= now }
      let own = links.indices.filter { links[$0].maker == maker }
      if own.count >= Self.maximumPerUser { links.remove(at: own[0]) }
      links.append(Link(hash: Self.hash(token), maker: maker, user: user, end: now.advanced(by: Self.lifetime)))
    }
    return "http://\(address)/open/\(token)"
  }

  /// The user whose browser may open a link; `nil` if there is no such link, or no longer.
  func user(of token: String, at now: ContinuousClock.Instant = .now) -> Peer? {
    links.withLock { links in
      links.removeAll { $0.end <= now }
      let hash = Self.hash(token)
      return links.first { $0.hash == hash }?.user
    }
  }

  /// Uses a link up.
  func remove(_ token: String) {
    let hash = Self.hash(token)
    links.withLock { links in links.removeAll { $0.hash == hash } }
  }

  private static func hash(_ token: String) -> SHA256.Digest {
    SHA256.hash(data: Array(token.utf8))
  }
}
