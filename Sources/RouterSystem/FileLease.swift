import Glibc

/// Read leases on open files (fcntl(2), "Leases"): opening the file for writing waits until the lease ends, for at most
/// `/proc/sys/fs/lease-break-time` seconds.
package enum FileLease {
  package enum Result: Sendable {
    case taken
    /// The file is open for writing.
    case busy
    /// The file belongs to another user, or the file system does not support leases.
    case unavailable
  }

  // Constants of <fcntl.h> that need _GNU_SOURCE.
  private static let set: CInt = 1024
  private static let get: CInt = 1025

  /// Takes a lease. The kernel announces a waiting writer by SIGIO, which would end the program by default.
  package static func take(_ descriptor: CInt) -> Result {
    signal(SIGIO, SIG_IGN)
    if fcntl(descriptor, set, CInt(F_RDLCK)) == 0 { return .taken }
    return errno == EAGAIN ? .busy : .unavailable
  }

  /// Whether the lease is still held, and no writer waits for its end.
  package static func isHeld(_ descriptor: CInt) -> Bool { fcntl(descriptor, get) == CInt(F_RDLCK) }

  package static func release(_ descriptor: CInt) { _ = fcntl(descriptor, set, CInt(F_UNLCK)) }
}
