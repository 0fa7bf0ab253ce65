import FoundationEssentials
import Glibc
import OrderedCollections
import Router
import RouterCommandLine
import RouterFrontEnds

/// A file that records what `routerctl setup` did, so that `--undo` reverts exactly that.
struct SetupRecord: Sendable {
  let path: String
  /// The text that setup wrote to each file.
  private(set) var files: OrderedDictionary<String, String> = [:]
  /// The directories that setup created, outermost first.
  private(set) var directories: [String] = []
  /// Whether setup enabled the service.
  var hasEnabledService = false

  /// Reads the record; a missing one is empty.
  init(path: String) throws {
    self.path = path
    switch TextFile(path) {
    case .missing: return
    case .unreadable(let why): throw CommandFailure(.failed, "cannot read \(path): \(why)")
    case .text(let text):
      guard let json = try? JSONValue(parsing: text), let texts = json["files"]?.object else {
        throw CommandFailure(.failed, "cannot use \(path): it is not a record of setup. Move it away and try again")
      }
      files = texts.compactMapValues(\.string)
      directories = (json["directories"]?.array ?? []).compactMap(\.string)
      hasEnabledService = json["service"]?.bool ?? false
    }
  }

  var isEmpty: Bool { files.isEmpty && directories.isEmpty && !hasEnabledService }

  /// Writes a file and the directories above it. The record is written first, so that an interrupted setup can be undone.
  mutating func write(_ text: String, to path: String) throws {
    try makeDirectory(above: path)
    files[path] = text
    try save()
    try Self.put(text, at: path)
  }

  mutating func save() throws {
    try makeDirectory(above: path)
    let json: JSONValue = [
      "files": .object(files.mapValues { .string($0) }), "directories": .array(directories.map { .string($0) }),
      "service": .bool(hasEnabledService),
    ]
    try Self.put(json.indented() + "\n", at: path)
  }

  /// Removes the record, and the directories that setup created if they are empty.
  func remove() {
    unlink(path)
    for directory in directories.reversed() { rmdir(directory) }
  }

  private mutating func makeDirectory(above path: String) throws {
    var missing: [String] = []
    var directory = URL(filePath: path).deletingLastPathComponent().path
    while access(directory, F_OK) != 0, directory != "/" {
      missing.append(directory)
      directory = URL(filePath: directory).deletingLastPathComponent().path
    }
    for directory in missing.reversed() {
      guard mkdir(directory, 0o700) == 0 else {
        throw CommandFailure(.failed, "cannot create the directory \(directory): \(String(cString: strerror(errno)))")
      }
      directories.append(directory)
    }
  }

  private static func put(_ text: String, at path: String) throws {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw CommandFailure(.failed, "cannot write \(path): \(error.systemReason)")
    }
  }
}
