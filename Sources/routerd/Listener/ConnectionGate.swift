import NIOCore
import Router

/// Limits the open connections, in total and per user. A user has at most half of the total, and the last tenth, rounded down,
/// is reserved for administrators. Excess connections are accepted only to send an error; if there are too many of those,
/// further ones are closed immediately.
final class ConnectionGate: Sendable {
  enum Verdict: Sendable, Hashable {
    case admitted, turnedAway, dropped
  }

  /// The maximum number of connections that are being rejected, in total and per user.
  static let turnedAway = (total: 64, perUser: 8)

  private struct Open {
    let peer: Peer
    let channel: any Channel
    let verdict: Verdict
    /// The peer's roles at connect time, or at the last reload.
    var roles: Set<Role>
  }

  private struct Count {
    var admitted = 0
    var turnedAway = 0

    mutating func add(_ number: Int, to verdict: Verdict) {
      switch verdict {
      case .admitted: admitted += number
      case .turnedAway: turnedAway += number
      case .dropped: break
      }
    }
  }

  /// How often somebody connected, and whether somebody is connected.
  var use: (count: Int, isOpen: Bool) { state.withLock { ($0.entered, !$0.open.isEmpty) } }

  private struct State {
    var entered = 0
    var open: [ObjectIdentifier: Open] = [:]
    var all = Count()
    var users: [UInt32: Count] = [:]

    mutating func add(_ number: Int, to verdict: Verdict, of uid: UInt32) {
      all.add(number, to: verdict)
      users[uid, default: Count()].add(number, to: verdict)
      if let user = users[uid], user.admitted == 0, user.turnedAway == 0 { users[uid] = nil }
    }
  }

  private let state = Mutex(State())
  /// The numbers of descriptors for admitted and for rejected connections.
  private let descriptors: (admitted: Int, turnedAway: Int)

  init(descriptors: Int) {
    // The rest is reserved for the database, the event loops and other files.
    let available = max(1, descriptors - 64)
    let turnedAway = min(Self.turnedAway.total, available / 2)
    self.descriptors = (available - turnedAway, turnedAway)
  }

  /// Decides on a new connection. Unless it is dropped, it counts until ``leave(_:)``.
  func enter(_ channel: any Channel, _ peer: Peer, roles: Set<Role>, limits: ConnectionLimits) -> Verdict {
    state.withLock { state in
      state.entered += 1
      let user = state.users[peer.process.uid] ?? Count()
      let total = min(limits.total, descriptors.admitted)
      let reserved = roles.contains(.admin) ? 0 : total / 10
      let verdict: Verdict =
        if state.all.admitted < total - reserved, user.admitted < min(limits.perUser, (total + 1) / 2) {
          .admitted
        } else if state.all.turnedAway < descriptors.turnedAway, user.turnedAway < Self.turnedAway.perUser {
          .turnedAway
        } else {
          .dropped
        }
      guard verdict != .dropped else { return verdict }
      state.open[ObjectIdentifier(channel)] = Open(peer: peer, channel: channel, verdict: verdict, roles: roles)
      state.add(1, to: verdict, of: peer.process.uid)
      return verdict
    }
  }

  func leave(_ channel: any Channel) {
    state.withLock { state in
      guard let open = state.open.removeValue(forKey: ObjectIdentifier(channel)) else { return }
      state.add(-1, to: open.verdict, of: open.peer.process.uid)
    }
  }

  /// Closes the connections of peers that have lost a role, and returns their number.
  func closeDemoted(_ roles: (Peer) -> Set<Role>) -> Int {
    let demoted = state.withLock { state in
      var demoted: [any Channel] = []
      for (id, open) in state.open {
        let now = roles(open.peer)
        if !now.isSuperset(of: open.roles) { demoted.append(open.channel) }
        state.open[id]?.roles = now
      }
      return demoted
    }
    for channel in demoted { channel.close(promise: nil) }
    return demoted.count
  }

  /// Closes all connections, and returns their number.
  func closeAll() -> Int {
    let channels = channels
    for channel in channels { channel.close(promise: nil) }
    return channels.count
  }

  /// Closes each connection after its pending response, and waits until all are closed.
  func quiesce() async {
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    for channel in channels { try? await channel.closeFuture.get() }
  }

  private var channels: [any Channel] { state.withLock { $0.open.values.map(\.channel) } }
}
