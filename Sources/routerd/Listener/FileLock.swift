import Glibc
import Router

/// An advisory lock (flock(2)), held as long as this object lives. The kernel releases it when the process ends.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, without waiting. The file at `path` is made if it is missing (mode 0600), and stays: if it were removed,
  /// another process could lock a new file of the same name.
  init(path: String, for subject: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw RouterError(.database, "cannot lock \(subject): \(path): \(String(cString: strerror(errno)))")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      close(descriptor)
      guard reason == EWOULDBLOCK else {
        throw RouterError(.database, "cannot lock \(subject): \(String(cString: strerror(reason)))")
      }
      throw RouterError(.database, "cannot use \(subject): another process is using it")
    }
    // Last of all: `deinit` runs as soon as every property has a value, and would close a second time what may be
    // another's by then.
    self.descriptor = descriptor
  }

  deinit {
    // A child that is being started has the descriptor too until its program runs, and closing this one would leave the lock there.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
