import Glibc
import OrderedCollections
import Router
import RouterCommandLine
import RouterFrontEnds

/// A file that records what `routerctl setup` did, so that `--undo` reverts exactly that.
struct SetupRecord: Sendable {
  let path: String
  /// The text that setup wrote to each file; after an interruption, also the previous one.
  private(set) var files: OrderedDictionary<String, [String]> = [:]
  /// The directories that setup created, outermost first.
  private(set) var directories: [String] = []
  /// Whether setup enabled the service.
  var hasEnabledService = false

  /// Reads the record; a missing one is empty.
  init(path: String) throws {
    self.path = path
    guard let text = try TextFile.read(path) else { return }
    guard let json = try? JSONValue(parsing: text), let texts = json["files"]?.object else {
      throw CommandFailure(.failed, "cannot use \(path): it is not a record of setup. Move it away and try again")
    }
    files = texts.mapValues { ($0.array ?? [$0]).compactMap(\.string) }
    directories = (json["directories"]?.array ?? []).compactMap(\.string)
    hasEnabledService = json["service"]?.bool ?? false
  }

  var isEmpty: Bool { files.isEmpty && directories.isEmpty && !hasEnabledService }

  /// Returns the file at a path. It is setup's own if its text is in the record.
  func file(_ path: String) -> InstalledFile {
    InstalledFile(path: path) { [texts = files[path] ?? []] content in texts.contains { content == .text($0) } }
  }

  /// Writes a file and its missing directories, unless the file belongs to the user. Writes the record first, so that an
  /// interrupted setup can be undone.
  mutating func write(_ text: String, to path: String) throws -> InstalledFile.Effect {
    let file = file(path)
    let effect = file.effect(of: .text(text))
    guard effect == .changed else { return effect }
    directories += Directories.missing(path.parentDirectory)
    files[path, default: []].append(text)
    try save()
    try file.makeDirectory()
    try file.put(.text(text))
    files[path] = [text]
    try save()
    return .changed
  }

  mutating func save() throws {
    let file = InstalledFile(path: path) { _ in true }
    directories += Directories.missing(path.parentDirectory)
    try file.makeDirectory()
    let texts = files.mapValues { JSONValue.array($0.map { .string($0) }) }
    let json: JSONValue = [
      "files": .object(texts), "directories": .array(directories.map { .string($0) }), "service": .bool(hasEnabledService),
    ]
    try file.put(.text(json.indented() + "\n"))
  }

  /// Removes the record, and the empty directories that setup created.
  func remove() {
    unlink(path)
    for directory in directories.reversed() { rmdir(directory) }
  }
}
