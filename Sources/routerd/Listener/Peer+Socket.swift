import Glibc
import Router

extension Peer {
  /// `SO_PEERPIDFD` of unix(7), since Linux 6.5; older C libraries do not define it.
  private static let peerPIDFD: CInt = 77

  /// Identifies the peer of a Unix socket only by user and pid.
  ///
  /// - Throws: ``RouterError`` if the kernel does not report it.
  init(userOfSocket socket: CInt) throws {
    guard let credentials = PeerCredentials(ofSocket: socket) else {
      throw RouterError(failed: "cannot identify the peer of the connection")
    }
    self.init(
      process: ProcessIdentity(uid: credentials.uid, gid: credentials.gid, pid: credentials.pid),
      supplementaryGroups: try Self.groups(ofSocket: socket))
  }

  /// Returns the peer including its process's facts from `/proc`. Called soon after accept(2), since the peer may execute
  /// another program.
  func identified(onSocket socket: CInt) -> Peer {
    var pidfd: CInt = -1
    var size = socklen_t(MemoryLayout<CInt>.size)
    let hasPIDFD = getsockopt(socket, SOL_SOCKET, Self.peerPIDFD, &pidfd, &size) == 0
    // If the kernel supports the option but returns no descriptor, the process has exited and its pid may have been
    // reused.
    let isGone = !hasPIDFD && errno != ENOPROTOOPT && errno != EINVAL
    defer { if hasPIDFD { close(pidfd) } }
    guard !isGone else { return self }
    return Peer(
      process: ProcessIdentity(uid: process.uid, gid: process.gid, lookingUp: process.pid, pidfd: hasPIDFD ? pidfd : nil),
      supplementaryGroups: groups)
  }

  /// Returns the process's supplementary groups at connect time.
  private static func groups(ofSocket socket: CInt) throws -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 64)
    while true {
      var size = socklen_t(groups.count * MemoryLayout<UInt32>.stride)
      if getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, &groups, &size) == 0 {
        return Array(groups.prefix(Int(size) / MemoryLayout<UInt32>.stride))
      }
      // The kernel has set `size` to the required size.
      guard errno == ERANGE, Int(size) > groups.count * MemoryLayout<UInt32>.stride else {
        throw RouterError(failed: "cannot read the groups of the connection's peer")
      }
      groups = [UInt32](repeating: 0, count: Int(size) / MemoryLayout<UInt32>.stride)
    }
  }
}
