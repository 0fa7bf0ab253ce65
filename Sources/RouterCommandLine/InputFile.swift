import Glibc
import Router

package struct InputFile {
  package static let standardInput = InputFile(path: "/dev/stdin")
  /// The maximum input size, above the daemon's limit.
  static let maximumBytes = 16 << 20

  let path: String

  package init(path: String) {
    self.path = path
  }

  package func bytes(for name: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(name) }
    defer { close(descriptor) }
    guard let content = Descriptors.readAll(descriptor, limit: Self.maximumBytes) else { throw failure(name) }
    guard content.count > Self.maximumBytes else { return content }
    throw CommandFailure(.usage, "cannot read \(name) from \(path): it is larger than \(Self.maximumBytes >> 20) MiB")
  }

  private func failure(_ name: String) -> CommandFailure {
    CommandFailure(.usage, "cannot read \(name) from \(path): \(String(cString: strerror(errno)))")
  }
}
