import Glibc

/// A database file that this process uses, and its lock (flock(2)).
///
/// The file itself is locked, so the lock is the same by every name and through every mount of the file. SQLite does not see it:
/// its own locks are those of fcntl(2). A process that closes any descriptor of a file loses its fcntl(2) locks on it, so all users
/// of a file in this process, connections included, share one descriptor, which is closed after the last of them.
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

  /// Returns `nil` for what is not there, cannot be read or is not a file.
  init?(path: String) {
    let found: Identity? = Self.uses.withLock { uses in
      var status = Glibc.stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      if uses[Identity(status)] == nil {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
        // If another file that is in use took the name meanwhile, this descriptor stays open rather than cost that file its locks.
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

  /// Takes the lock for this process, without waiting.
  ///
  /// - Returns: Whether it was free.
  func lock() -> Bool {
    Self.uses.withLock { [identity] uses in
      guard let use = uses[identity], !use.isLocked, flock(use.descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
      uses[identity]?.isLocked = true
      return true
    }
  }

  /// Gives the lock back. Closing the descriptor would not: a child that is being started has it too until its program runs.
  func unlock() {
    Self.uses.withLock { [identity] uses in
      guard let use = uses[identity], use.isLocked else { return }
      flock(use.descriptor, LOCK_UN)
      uses[identity]?.isLocked = false
    }
  }

  /// Whether some process, this one included, has the lock now.
  var isLocked: Bool {
    Self.uses.withLock { [identity] uses in
      guard let use = uses[identity], !use.isLocked else { return true }
      guard flock(use.descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
      flock(use.descriptor, LOCK_UN)
      return false
    }
  }
}
