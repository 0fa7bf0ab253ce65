import FoundationEssentials

/// A directory that goes with the object.
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

  /// What a database would be if its process were killed now: a copy of its files as they are.
  func crashImage(of database: String, as name: String) throws -> String {
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: database + suffix) {
      try FileManager.default.copyItem(atPath: database + suffix, toPath: file(name) + suffix)
    }
    return file(name)
  }
}
