import Glibc
import Router

/// A small file that always has either its old or its new content, also after a crash.
struct ReplacedFile: Sendable {
  let path: String
  /// The permissions of the file.
  let mode: mode_t

  /// Returns the content; `nil` if there is no file.
  func read() throws(TargetFailure) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw TargetFailure(failed: "read \(path)")
    }
    defer { close(descriptor) }
    guard let bytes = Descriptors.readAll(descriptor, limit: 65_536) else { throw TargetFailure(failed: "read \(path)") }
    return String(decoding: bytes, as: UTF8.self)
  }

  func replace(with text: String) throws(TargetFailure) {
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw TargetFailure(failed: "create \(new)") }
    let failure =
      Array(text.utf8).withUnsafeBytes { Descriptors.writeAll(descriptor, $0) } ?? (fsync(descriptor) == 0 ? nil : errno)
    close(descriptor)
    guard failure == nil, rename(new, path) == 0 else {
      if let failure { errno = failure }
      throw TargetFailure(failed: "write \(path)")
    }
    // The new name is on disk with the directory.
    let parent = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) + "/" } ?? "."
    let directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw TargetFailure(failed: "open \(parent)") }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw TargetFailure(failed: "write \(path)") }
  }
}
