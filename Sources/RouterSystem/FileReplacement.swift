import Glibc
import RouterCore

/// Replaces the file at a path atomically: even after a crash, the path has either the old or the new content.
///
/// Replaces a symbolic link at the path, without following it.
package enum FileReplacement {
  /// - Parameter mode: The exact permissions of the file; `nil` for the default by the umask.
  package static func write(_ bytes: [UInt8], to path: String, mode: UInt32? = nil) throws(SystemFailure) {
    try replace(path) { new in
      let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode ?? 0o666)
      guard descriptor >= 0 else { return errno }
      defer { close(descriptor) }
      if let failure = bytes.withUnsafeBytes({ Descriptors.writeAll(descriptor, $0) }) { return failure }
      if let mode, fchmod(descriptor, mode) != 0 { return errno }
      return fsync(descriptor) == 0 ? nil : errno
    }
  }

  package static func link(_ path: String, to target: String) throws(SystemFailure) {
    try replace(path) { new in symlink(target, new) == 0 ? nil : errno }
  }

  /// - Parameter make: Creates the new file at another path. Returns the error number of a failure.
  private static func replace(_ path: String, _ make: (String) -> CInt?) throws(SystemFailure) {
    let new = "\(path).\(getpid()).new"
    // An earlier process with this id may have left the file.
    unlink(new)
    if let failure = make(new) ?? (rename(new, path) == 0 ? nil : errno) {
      unlink(new)
      throw SystemFailure(failure)
    }
    // Syncing the directory makes the new name durable.
    let directory = open(path.parentDirectory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw SystemFailure() }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw SystemFailure() }
  }
}
