import Glibc
import Router

/// The text of a file, if it is displayable.
package enum TextFile: Sendable, Hashable {
  case text(String)
  case missing
  case unreadable(String)

  private static let maximumBytes = 4 << 20

  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// Reads a file for a command; `nil` if it does not exist.
  package static func read(_ path: String) throws -> String? {
    let file = TextFile(path)
    if case .unreadable(let why) = file { throw CommandFailure(.defect, "cannot read \(path): \(why)") }
    return file.text
  }

  package init(_ path: String) {
    // Without O_NONBLOCK, opening a named pipe would block until another process writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      self = errno == ENOENT ? .missing : .unreadable(String(cString: strerror(errno)))
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      self = .unreadable("it is not a regular file")
      return
    }
    guard status.st_size <= Self.maximumBytes else {
      self = .unreadable("it has \(status.st_size) bytes")
      return
    }
    let bytes = Descriptors.readAll(descriptor, limit: Self.maximumBytes) ?? []
    guard let text = String(validating: bytes, as: UTF8.self) else {
      self = .unreadable("it is not text")
      return
    }
    self = .text(text)
  }
}
