import CLinux
import Glibc

/// Pipes (pipe(7)) that no child inherits, not even one that another thread starts at the same time (pipe2(2)).
package enum UnixPipe {
  /// Opens one; `nil` where that fails, with the reason in `errno`.
  package static func open() -> (readEnd: CInt, writeEnd: CInt)? {
    var ends: [CInt] = [-1, -1]
    return clinux_pipe(&ends, O_CLOEXEC) == 0 ? (ends[0], ends[1]) : nil
  }
}
