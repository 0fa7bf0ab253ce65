import Glibc
import RouterCore
import RouterSystem

/// The exclusive lock of a database's writer, held until ``release()`` or for the lifetime of this object. The kernel releases it
/// when the process ends.
final class DatabaseLock: Sendable {
  private let file: DatabaseFile
  private let isTaken = Mutex(true)

  /// Takes the lock without waiting, and creates the database file if it is missing (mode 0600).
  ///
  /// A file with several hard links is refused: SQLite derives the name of the write-ahead log from the opened name.
  init(database path: String) throws {
    func refusal(_ reason: String) -> RouterError { RouterError(.database, "cannot open the database \(path): \(reason)") }
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw refusal(String(cString: strerror(errno)))
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw refusal(String(cString: strerror(errno))) }
    if status.st_mode & S_IFMT == S_IFDIR { throw refusal(String(cString: strerror(EISDIR))) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refusal("it is not a regular file") }
    if let other = DatabaseFile.unusableCompanion(of: path) { throw refusal("\(other) is not a regular file; remove it") }
    guard faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0, let file = DatabaseFile(path: path) else {
      throw refusal(String(cString: strerror(errno)))
    }
    guard status.st_nlink == 1 else {
      throw refusal(
        "it has \(status.st_nlink) hard links, so another daemon could use it under another name; remove all but one")
    }
    guard file.lock() else {
      throw RouterError(.database, "cannot use the database \(path): \(file.holder)")
    }
    // Assigned last: `deinit` runs once every property has a value.
    self.file = file
  }

  deinit { release() }

  /// Releases the lock, at most once: the process may have taken it again for another writer.
  func release() {
    isTaken.withLock { isTaken in
      if isTaken { file.unlock() }
      isTaken = false
    }
  }

  /// Whether any process holds the lock of a database.
  static func isHeld(of path: String) -> Bool { DatabaseFile(path: path)?.isLocked ?? false }
}
