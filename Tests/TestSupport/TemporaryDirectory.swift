import FoundationEssentials

/// A directory that is removed when the object is deinitialized.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "routerd-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  package func file(_ name: String) -> String { path + "/" + name }

  /// Copies a database's files as they would be if its process were killed now.
  package func crashImage(of database: String, as name: String) throws -> String {
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: database + suffix) {
      try FileManager.default.copyItem(atPath: database + suffix, toPath: file(name) + suffix)
    }
    return file(name)
  }

  /// Writes a file, creates the directories above it, and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try FileManager.default.createDirectory(
      at: URL(filePath: file(name)).deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: URL(filePath: file(name)), atomically: false, encoding: .utf8)
    return file(name)
  }
}
