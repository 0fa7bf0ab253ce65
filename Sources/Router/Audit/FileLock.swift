import Glibc

/// An advisory lock (flock(2)), held as long as this object lives. The kernel releases it when the process ends.
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, without waiting. The file at `path` is made if it is missing (mode 0600), and stays: if it were removed,
  /// another process could lock a new file of the same name.
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

  /// Whether somebody holds the lock of a database now. It is not made, and nothing is held afterwards.
  static func isHeld(of database: String) -> Bool {
    let descriptor = open((realPath(database) ?? database) + suffix, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private static let suffix = ".lock"

  /// Takes the lock of a database, and makes the database's file if it is not there (mode 0600).
  ///
  /// The lock is beside the file that symbolic links lead to. A file with hard links is refused, so every name leads to one lock.
  static func take(database path: String) throws -> FileLock {
    func refusal(_ reason: String) -> RouterError { RouterError(.database, "cannot open the database \(path): \(reason)") }
    // A file that is there is not opened here: to close it would let go of SQLite's locks on it in this process (fcntl(2)).
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw refusal(String(cString: strerror(errno)))
    }
    var status = stat()
    guard stat(path, &status) == 0, let realPath = realPath(path) else { throw refusal(String(cString: strerror(errno))) }
    if status.st_mode & S_IFMT == S_IFDIR { throw refusal(String(cString: strerror(EISDIR))) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refusal("it is not a file") }
    guard faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0 else { throw refusal(String(cString: strerror(errno))) }
    guard status.st_nlink == 1 else {
      throw refusal("it has \(status.st_nlink) names (hard links), and could be in use by another; remove all but one")
    }
    return try FileLock(path: realPath + suffix, for: "the database \(path)")
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
