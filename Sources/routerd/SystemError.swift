import Glibc
import Router

extension RouterError {
  /// Creates an error for a failed system call, with the reason from errno(3).
  init(failed message: String) {
    self.init(.database, "\(message): \(String(cString: strerror(errno)))")
  }
}
