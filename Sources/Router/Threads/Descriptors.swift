import CLinux
package import Glibc

/// What Swift's Glibc module does not show about file descriptors and the processes that are started.
package enum Descriptors {
  /// Opens a pipe (pipe(7)) that no child inherits (pipe2(2)); `nil` with the reason in `errno` if that fails.
  package static func pipe() -> (readEnd: CInt, writeEnd: CInt)? {
    var ends: [CInt] = [-1, -1]
    return clinux_pipe(&ends, O_CLOEXEC) == 0 ? (ends[0], ends[1]) : nil
  }

  /// Closes all descriptors from this one on in a child that is started with these actions; not every open(2) has `O_CLOEXEC`.
  package static func close(from first: CInt, in actions: inout posix_spawn_file_actions_t) {
    withUnsafeMutablePointer(to: &actions) { _ = clinux_close_from(UnsafeMutableRawPointer($0), first) }
  }
}
