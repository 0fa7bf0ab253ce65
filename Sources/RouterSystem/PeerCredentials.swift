package import Glibc

/// The process at the other end of a Unix socket when it connected or listened: `struct ucred` of unix(7), which is missing
/// from the Glibc module.
package struct PeerCredentials {
  package private(set) var pid: pid_t = 0
  package private(set) var uid: uid_t = 0
  package private(set) var gid: gid_t = 0

  /// Returns `nil` and sets `errno` if the kernel does not provide the credentials.
  package init?(ofSocket socket: CInt) {
    var size = socklen_t(MemoryLayout<Self>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &self, &size) == 0 else { return nil }
  }
}
