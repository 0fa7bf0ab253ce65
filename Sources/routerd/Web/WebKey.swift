import Glibc
import Router

/// The secret that signs sessions, in a file beside the database, so that sessions survive a restart. Removing the file ends
/// all sessions at the next start.
struct WebKey: Sendable {
  static let byteCount = 32

  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads the key, or creates one.
  ///
  /// - Throws: ``RouterError`` if the file cannot be read or written, or belongs to another user.
  init(path: String) throws {
    try Self.makeUnlessThere(path)
    try self.init(reading: path)
  }

  private init(reading path: String) throws {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw RouterError(failed: "cannot read the page's key \(path)") }
    defer { close(descriptor) }
    // Restricts the file to its owner, even if its mode was changed.
    guard fchmod(descriptor, 0o600) == 0 else { throw RouterError(failed: "cannot restrict access to the page's key \(path)") }
    var bytes = [UInt8](repeating: 0, count: Self.byteCount + 1)
    guard read(descriptor, &bytes, bytes.count) == Self.byteCount else {
      throw RouterError(.database, "cannot use the page's key \(path): it is not \(Self.byteCount) bytes long. Remove it")
    }
    self.bytes = Array(bytes.prefix(Self.byteCount))
  }

  private static func makeUnlessThere(_ path: String) throws {
    guard access(path, F_OK) != 0 else { return }
    do {
      try FileReplacement.write(Cryptography.randomBytes(byteCount), to: path, mode: 0o600)
    } catch {
      throw RouterError(.database, "cannot create the page's key \(path): \(error)")
    }
  }
}
