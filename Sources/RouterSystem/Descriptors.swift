import CLinux
package import Glibc

/// System calls for file descriptors and child processes that Swift's Glibc module does not import.
package enum Descriptors {
  /// Opens a pipe (pipe(7)) that children do not inherit (pipe2(2)); returns `nil` and sets `errno` on failure.
  package static func pipe() -> (readEnd: CInt, writeEnd: CInt)? {
    var ends: [CInt] = [-1, -1]
    return clinux_pipe(&ends, O_CLOEXEC) == 0 ? (ends[0], ends[1]) : nil
  }

  /// Opens a descriptor that becomes readable when the process ends (pidfd_open(2)); returns `nil` and sets `errno` on
  /// failure. Children do not inherit it.
  package static func process(_ pid: CInt) -> CInt? {
    let descriptor = pidfd_open(pid, 0)
    return descriptor >= 0 ? descriptor : nil
  }

  /// The flags to open a directory only as a location: `O_PATH` is not in the Glibc module.
  package static let directoryOnly = 0x20_0000 | O_DIRECTORY | O_CLOEXEC

  /// Reads to the end, or until there are more than `limit` bytes; returns `nil` and sets `errno` on failure.
  package static func readAll(_ descriptor: CInt, limit: Int = .max) -> [UInt8]? {
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while content.count <= limit {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      content += chunk[..<count]
    }
    return content
  }

  /// Reads a file from its beginning; returns `nil` and sets `errno` on failure, to `EFBIG` if it has more than `limit` bytes.
  package static func readFile(_ descriptor: CInt, limit: Int = .max) -> [UInt8]? {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
    guard size <= limit else {
      errno = EFBIG
      return nil
    }
    var isRead = true
    let content = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let more = read(descriptor, buffer.baseAddress! + count, size - count)
        if more < 0, errno == EINTR { continue }
        isRead = more >= 0
        guard more > 0 else { break }
        count += more
      }
    }
    return isRead ? readAll(descriptor).map { $0.isEmpty ? content : content + $0 } : nil
  }

  /// Writes all bytes. Returns the error number of a failure; `nil` on success.
  @discardableResult
  package static func writeAll(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> CInt? {
    var left = bytes[...]
    while !left.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: left).baseAddress, left.count)
      if count >= 0 {
        left = left.dropFirst(count)
      } else if errno != EINTR, errno != EAGAIN {
        return errno
      }
    }
    return nil
  }

  /// Closes all descriptors from `first` on in a spawned child (posix_spawn_file_actions_addclosefrom_np(3)), since not
  /// every descriptor is marked close-on-exec.
  package static func close(from first: CInt, in actions: inout posix_spawn_file_actions_t) {
    withUnsafeMutablePointer(to: &actions) { _ = clinux_close_from(UnsafeMutableRawPointer($0), first) }
  }
}
