import Glibc
import RouterSystem

/// A database file in use by this process, and its lock (flock(2)).
///
/// The lock belongs to the file itself, so it is the same for every name and mount. SQLite is unaffected: its own locks use
/// fcntl(2). Closing any descriptor of a file drops the process's fcntl(2) locks on it. All users of a file in this process,
/// including connections, therefore share one descriptor, which is closed after the last use.
final class DatabaseFile: Sendable {
  private struct Identity: Hashable {
    let device: dev_t
    let inode: ino_t

    init(_ status: stat) {
      (device, inode) = (status.st_dev, status.st_ino)
    }
  }

  private struct Use {
    let descriptor: Int32
    var users = 0
    var isLocked = false
  }

  private static let uses = Mutex<[Identity: Use]>([:])
  private let identity: Identity

  /// Returns `nil` if the path does not exist, is unreadable or is not a regular file.
  init?(path: String) {
    let found: Identity? = Self.uses.withLock { uses in
      var status = Glibc.stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      if uses[Identity(status)] == nil {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
        // If another file in use now has the name, this descriptor stays open: closing it would drop that file's locks.
        if uses[Identity(status)] == nil { uses[Identity(status)] = Use(descriptor: descriptor) }
      }
      uses[Identity(status)]?.users += 1
      return Identity(status)
    }
    guard let found else { return nil }
    identity = found
  }

  deinit {
    Self.uses.withLock { [identity] uses in
      uses[identity]?.users -= 1
      guard let use = uses[identity], use.users == 0 else { return }
      uses[identity] = nil
      close(use.descriptor)
    }
  }

  /// Returns the name of a file that SQLite would open with the database, but is not a regular file; `nil` if there is none.
  /// SQLite would wait for the other end of a pipe.
  static func unusableCompanion(of path: String) -> String? {
    ["-journal", "-wal", "-shm"].map { path + $0 }.first { name in
      var status = Glibc.stat()
      return stat(name, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }
  }

  /// Takes the lock for this process without waiting.
  ///
  /// - Returns: Whether the lock was free.
  func lock() -> Bool {
    Self.uses.withLock { [identity] uses in
      guard let use = uses[identity], !use.isLocked, flock(use.descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
      uses[identity]?.isLocked = true
      return true
    }
  }

  /// Describes the process that holds the lock.
  var holder: String {
    LockHolder.description(of: Self.uses.withLock { [identity] uses in uses[identity]?.descriptor ?? -1 })
  }

  /// Releases the lock explicitly, since a child process shares the descriptor until it calls exec.
  func unlock() {
    Self.uses.withLock { [identity] uses in
      guard let use = uses[identity], use.isLocked else { return }
      flock(use.descriptor, LOCK_UN)
      uses[identity]?.isLocked = false
    }
  }

  /// Whether any process, including this one, holds the lock.
  var isLocked: Bool {
    Self.uses.withLock { [identity] uses in
      guard let use = uses[identity], !use.isLocked else { return true }
      guard flock(use.descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
      flock(use.descriptor, LOCK_UN)
      return false
    }
  }
}
