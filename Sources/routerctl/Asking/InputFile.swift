import Glibc

struct InputFile {
  static let standardInput = InputFile(path: "/dev/stdin")
  /// The maximum input size, above the daemon's limit.
  static let maximumBytes = 16 << 20

  let path: String

  func bytes(for name: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(name) }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while content.count <= Self.maximumBytes {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return content }
      if count < 0 {
        guard errno == EINTR else { throw failure(name) }
        continue
      }
      content += chunk[..<count]
    }
    throw CommandFailure(.usage, "cannot read \(name) from \(path): it is larger than \(Self.maximumBytes >> 20) MiB")
  }

  private func failure(_ name: String) -> CommandFailure {
    CommandFailure(.usage, "cannot read \(name) from \(path): \(String(cString: strerror(errno)))")
  }
}
