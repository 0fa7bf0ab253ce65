import NIOCore
import Router

/// One connection: who is at the other end, and what that may cost.
struct Connection: Sendable {
  /// The connection that the current task works for.
  @TaskLocal static var current: Connection?

  let peer: Peer
  let channel: any Channel
  let configuration: LiveConfiguration
  /// Whether it is one too many, and open only to be told so.
  let isTurnedAway: Bool

  /// What the peer may do now.
  var roles: Set<Role> { configuration.roles(of: peer) }
}
