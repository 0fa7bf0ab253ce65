import Glibc
import Router

/// A file of lines that is appended to, and is on disk when the append returns.
struct AppendedFile: Sendable {
  let path: String
  /// The permissions of a new file.
  let mode: mode_t

  /// Appends whole lines. An incomplete last line, which a killed process or a full disk left behind, is removed first.
  func append(_ text: [UInt8]) throws(TargetFailure) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw TargetFailure(failed: "open \(path)") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw TargetFailure(failed: "read \(path)") }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    // Others may append to it too, and a line of theirs may be incomplete only for now.
    if isRegular {
      guard flock(descriptor, LOCK_EX) == 0 else { throw TargetFailure(failed: "lock \(path)") }
      try removeIncompleteLine(descriptor)
    }
    if let failure = text.withUnsafeBytes({ Descriptors.writeAll(descriptor, $0) }) {
      errno = failure
      throw TargetFailure(failed: "write \(path)")
    }
    guard !isRegular || fsync(descriptor) == 0 else { throw TargetFailure(failed: "write \(path)") }
  }

  private func removeIncompleteLine(_ descriptor: CInt) throws(TargetFailure) {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { throw TargetFailure(failed: "read \(path)") }
    var end = size
    var byte = UInt8(0)
    while end > 0 {
      guard pread(descriptor, &byte, 1, end - 1) == 1 else { throw TargetFailure(failed: "read \(path)") }
      if byte == UInt8(ascii: "\n") { break }
      end -= 1
    }
    guard end == size || ftruncate(descriptor, end) == 0 else {
      throw TargetFailure(failed: "remove the incomplete last line of \(path)")
    }
  }
}
