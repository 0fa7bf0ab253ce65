import FoundationEssentials

/// A directory that is removed when the object is deinitialized.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "router-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  /// Copies a database's files as they would be if its process were killed now.
  func crashImage(of database: String, as name: String) throws -> String {
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: database + suffix) {
      try FileManager.default.copyItem(atPath: database + suffix, toPath: file(name) + suffix)
    }
    return file(name)
  }
}
