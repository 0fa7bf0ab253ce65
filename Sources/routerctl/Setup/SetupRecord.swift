import FoundationEssentials
import Glibc
import OrderedCollections
import Router

/// What `routerctl setup` did, in a file, so that `--undo` takes back exactly that.
struct SetupRecord: Sendable {
  let path: String
  /// The text that each file was given.
  private(set) var files: OrderedDictionary<String, String> = [:]
  /// The directories that were made, outermost first.
  private(set) var directories: [String] = []
  /// Whether the service was turned on.
  var hasEnabledService = false

  /// Reads the record; a missing one is empty.
  init(path: String) throws {
    self.path = path
    switch TextFile(path) {
    case .missing: return
    case .unreadable(let why): throw CommandFailure(.failed, "cannot read \(path): \(why)")
    case .text(let text):
      guard let json = try? JSONValue(parsing: text), let texts = json["files"]?.object else {
        throw CommandFailure(.failed, "cannot use \(path): setup did not write it. Move it away and try again")
      }
      files = texts.compactMapValues(\.string)
      directories = (json["directories"]?.array ?? []).compactMap(\.string)
      hasEnabledService = json["service"]?.bool ?? false
    }
  }

  var isEmpty: Bool { files.isEmpty && directories.isEmpty && !hasEnabledService }

  /// Writes a file and the directories above it. The record is on disk first: what was interrupted can be taken back.
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

  /// Removes the record and the directories that setup made, if nothing else is in them.
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
        throw CommandFailure(.failed, "cannot make the directory \(directory): \(String(cString: strerror(errno)))")
      }
      directories.append(directory)
    }
  }

  private static func put(_ text: String, at path: String) throws {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw CommandFailure(.failed, "cannot write \(path): \(error)")
    }
  }
}
