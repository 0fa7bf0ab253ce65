import Router

/// The process at the other end of a connection. Ids and groups date from connect time, and facts from `/proc` from when the
/// connection was accepted.
struct Peer: Sendable, Hashable {
  let process: ProcessIdentity
  /// The primary and supplementary groups.
  let groups: Set<UInt32>

  init(process: ProcessIdentity, supplementaryGroups: some Sequence<UInt32> = []) {
    self.process = process
    groups = Set(supplementaryGroups).union([process.gid])
  }

  /// Returns the same user as another process; 0 for an unknown one.
  func acting(as pid: Int32) -> Peer {
    Peer(process: ProcessIdentity(uid: process.uid, gid: process.gid, lookingUp: pid), supplementaryGroups: groups)
  }
}
