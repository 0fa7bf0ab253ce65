import Glibc
import Router

/// Reads small files of other users.
enum SmallFile {
  /// The file's text; `nil` if it cannot be read, is not a regular file or is longer than the limit.
  static func text(_ path: String, limit: Int = 65_536) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var file = stat()
    guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { return nil }
    guard let bytes = Descriptors.readAll(descriptor, limit: limit), bytes.count <= limit else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
