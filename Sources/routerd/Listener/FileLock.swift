import Glibc
import Router

/// An advisory lock (flock(2)), held for the lifetime of this object. The kernel releases it when the process ends.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock without waiting. Creates the file at `path` if it is missing (mode 0600), and never removes it: another
  /// process could then lock a new file with the same name.
  init(path: String, for subject: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw RouterError(.database, "cannot lock \(subject): \(path): \(String(cString: strerror(errno)))")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      defer { close(descriptor) }
      guard reason == EWOULDBLOCK else {
        throw RouterError(.database, "cannot lock \(subject): \(String(cString: strerror(reason)))")
      }
      throw RouterError(.database, "cannot use \(subject): \(LockHolder.description(of: descriptor))")
    }
    // Assigned last: `deinit` runs once every property has a value, and would close the descriptor a second time.
    self.descriptor = descriptor
  }

  deinit {
    // A child process shares the descriptor until it calls exec, so closing this one would not release the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
