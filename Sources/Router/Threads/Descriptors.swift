import CLinux
package import Glibc

/// What Swift's Glibc module does not show about file descriptors and the processes that are started.
package enum Descriptors {
  /// Opens a pipe (pipe(7)) that no child inherits (pipe2(2)); `nil` with the reason in `errno` if that fails.
  package static func pipe() -> (readEnd: CInt, writeEnd: CInt)? {
    var ends: [CInt] = [-1, -1]
    return clinux_pipe(&ends, O_CLOEXEC) == 0 ? (ends[0], ends[1]) : nil
  }

  /// Opens a descriptor that becomes readable when the process ends (pidfd_open(2)); `nil` with the reason in `errno` if that
  /// fails. No child inherits it.
  package static func process(_ pid: CInt) -> CInt? {
    let descriptor = pidfd_open(pid, 0)
    return descriptor >= 0 ? descriptor : nil
  }

  /// Has a child that is started with these actions keep none from this one on (posix_spawn_file_actions_addclosefrom_np(3)):
  /// not all that opens a file marks it to be closed.
  package static func close(from first: CInt, in actions: inout posix_spawn_file_actions_t) {
    withUnsafeMutablePointer(to: &actions) { _ = clinux_close_from(UnsafeMutableRawPointer($0), first) }
  }
}
