import Glibc
import Router

extension RouterError {
  /// Why a system call failed, by errno(3).
  init(failed message: String) {
    self.init(.database, "\(message): \(String(cString: strerror(errno)))")
  }
}
