import Router

/// One-time login links for browsers. They expire and exist only in memory, so a restart invalidates them.
final class WebLinks: Sendable {
  /// The lifetime of a link.
  static let lifetime = Duration.seconds(300)

  /// The maximum number of unused links per user; creating another removes the oldest.
  static let maximumPerUser = 8

  private struct Link {
    /// The hash of the token, which is not stored itself. Compared in constant time.
    let hash: [UInt8]
    let maker: UInt32
    let user: Peer
    let end: ContinuousClock.Instant
  }

  let socket: LoopbackSocket
  private let links: Mutex<[Link]> = Mutex([])

  init(socket: LoopbackSocket) {
    self.socket = socket
  }

  /// The page's address.
  var address: WebAddress { socket.address }

  /// Creates a link that logs a browser in as a user.
  ///
  /// - Parameter maker: The uid of the user who requested the link.
  func link(for user: Peer, madeBy maker: UInt32, at now: ContinuousClock.Instant = .now) -> String {
    let token = Cryptography.randomBytes(32).hexadecimal
    links.withLock { links in
      links.removeAll { $0.end <= now }
      let own = links.indices.filter { links[$0].maker == maker }
      if own.count >= Self.maximumPerUser { links.remove(at: own[0]) }
      links.append(Link(hash: Self.hash(token), maker: maker, user: user, end: now.advanced(by: Self.lifetime)))
    }
    return "http://\(address)/open/\(token)"
  }

  /// Returns the user of a valid link; `nil` if the link does not exist or has expired.
  func user(of token: String, at now: ContinuousClock.Instant = .now) -> Peer? {
    links.withLock { links in
      links.removeAll { $0.end <= now }
      let hash = Self.hash(token)
      return links.first { Cryptography.isEqual($0.hash, hash) }?.user
    }
  }

  /// Removes a used link.
  func remove(_ token: String) {
    let hash = Self.hash(token)
    links.withLock { links in links.removeAll { Cryptography.isEqual($0.hash, hash) } }
  }

  private static func hash(_ token: String) -> [UInt8] {
    Cryptography.sha256(Array(token.utf8))
  }
}
