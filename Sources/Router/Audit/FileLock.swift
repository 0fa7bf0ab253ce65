import Glibc

/// An advisory lock (flock(2)), held as long as this object lives. The kernel releases it when the process ends.
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, without waiting.
  ///
  /// - Parameters:
  ///   - path: The lock's own file, made if it is missing (mode 0600). It stays: if it were removed, another process could lock a
  ///     new file of the same name.
  ///   - subject: What is locked, for errors.
  package init(path: String, for subject: String) throws {
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

  /// Whether somebody holds a lock on this file now. It is not made, and nothing is held afterwards.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Makes a file that only its owner may read, unless it is there.
  ///
  /// - Throws: ``RouterError`` where it cannot be opened for writing, or is no file.
  static func createPrivately(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw RouterError(.database, "cannot open the database \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw RouterError(.database, "cannot open the database \(path): it is not a file")
    }
  }
}
