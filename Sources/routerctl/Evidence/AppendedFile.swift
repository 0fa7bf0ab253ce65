import Glibc
import Router

/// An append-only file of lines. Each append is on disk when it returns.
struct AppendedFile: Sendable {
  let path: String
  /// The permissions of a new file.
  let mode: mode_t

  /// Appends whole lines. First removes an incomplete last line, left by a killed process or a full disk.
  ///
  /// - Parameter mark: A text that an earlier line must contain, unless the file is empty. Otherwise the file was truncated,
  ///   and appending would leave a gap.
  func append(_ text: [UInt8], after mark: [UInt8]? = nil) throws(TargetFailure) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw TargetFailure(failed: "open \(path)") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw TargetFailure(failed: "read \(path)") }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    // Other programs may append to the file too, and an incomplete line of theirs may be temporary.
    if isRegular {
      guard flock(descriptor, LOCK_EX) == 0 else { throw TargetFailure(failed: "lock \(path)") }
      let (end, size) = try endOfLines(descriptor)
      if let mark, size > 0, try !hasText(mark, before: end, descriptor) {
        throw TargetFailure(
          """
          \(path) no longer has the last event that was forwarded: it was cut or replaced. To begin a new file, move it away; to \
          forward everything again, remove the file of --state too
          """)
      }
      guard end == size || ftruncate(descriptor, end) == 0 else {
        throw TargetFailure(failed: "remove the incomplete last line of \(path)")
      }
    }
    if let failure = text.withUnsafeBytes({ Descriptors.writeAll(descriptor, $0) }) {
      errno = failure
      throw TargetFailure(failed: "write \(path)")
    }
    guard !isRegular || fsync(descriptor) == 0 else { throw TargetFailure(failed: "write \(path)") }
  }

  /// Returns the end of the last complete line, and the size of the file.
  private func endOfLines(_ descriptor: CInt) throws(TargetFailure) -> (end: off_t, size: off_t) {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { throw TargetFailure(failed: "read \(path)") }
    var end = size
    var byte = UInt8(0)
    while end > 0 {
      guard pread(descriptor, &byte, 1, end - 1) == 1 else { throw TargetFailure(failed: "read \(path)") }
      if byte == UInt8(ascii: "\n") { break }
      end -= 1
    }
    return (end, size)
  }

  private static let chunk = 1 << 16

  /// Searches for a text backward from the end, where it usually is.
  private func hasText(_ text: [UInt8], before end: off_t, _ descriptor: CInt) throws(TargetFailure) -> Bool {
    var end = end
    var bytes = [UInt8](repeating: 0, count: Self.chunk)
    while end > 0 {
      let count = Int(min(off_t(bytes.count), end))
      guard pread(descriptor, &bytes, count, end - off_t(count)) == count else { throw TargetFailure(failed: "read \(path)") }
      if bytes[..<count].firstRange(of: text) != nil { return true }
      // The text may span two chunks.
      end -= end > off_t(count) ? off_t(count - text.count + 1) : end
    }
    return false
  }
}
