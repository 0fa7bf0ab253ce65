import Router

/// Who is at the other end of a connection, by the kernel's word at connect time.
struct Peer: Sendable, Hashable {
  let process: ProcessIdentity
  /// Its group and its supplementary groups.
  let groups: Set<UInt32>

  init(process: ProcessIdentity, supplementaryGroups: some Sequence<UInt32> = []) {
    self.process = process
    groups = Set(supplementaryGroups).union([process.gid])
  }
}
