import FoundationEssentials

/// A directory that is deleted with the object.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "routerd-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try FileManager.default.createDirectory(
      at: URL(filePath: file(name)).deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: URL(filePath: file(name)), atomically: false, encoding: .utf8)
    return file(name)
  }
}
