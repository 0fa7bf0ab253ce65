import Glibc
import Router

/// The change that a tool call would make to one file.
struct FileChange: Sendable {
  let path: String
  /// The lines of the diff.
  let diff: [String]
  /// The members of the input that the diff covers.
  let shown: Set<String>
  /// A note to show before the diff.
  var note: String?

  /// Reads a file edit from a tool's input; `nil` if the tool does not edit a file.
  init?(_ call: ToolCall) {
    guard let path = call.input["file_path"]?.string else { return nil }
    self.path = path
    let file = Self.absolute(path, in: call.directory)
    switch call.tool {
    case "Write":
      guard let content = call.input["content"]?.string else { return nil }
      shown = ["file_path", "content"]
      switch TextFile(file) {
      case .text(let old): diff = UnifiedDiff.lines(from: old, to: content)
      case .missing:
        diff = UnifiedDiff.lines(from: "", to: content)
        note = "This is a new file."
      case .unreadable(let why):
        diff = UnifiedDiff.lines(from: "", to: content)
        note = "This replaces a file that cannot be shown: \(why)."
      }
    case "Edit", "MultiEdit":
      // Each tool reads only its own members; the other tool's members have no effect.
      let isOne = call.tool == "Edit"
      let parts = isOne ? [call.input] : call.input["edits"]?.array ?? []
      shown = isOne ? ["file_path", "old_string", "new_string"] : ["file_path", "edits"]
      let edits = parts.compactMap(Edit.init)
      guard !edits.isEmpty, edits.count == parts.count else { return nil }
      if case .text(let old) = TextFile(file), let new = Self.applying(edits, to: old) {
        diff = UnifiedDiff.lines(from: old, to: new)
      } else {
        diff = edits.flatMap { UnifiedDiff.lines(from: $0.old, to: $0.new, numbered: false) }
        note = "The text to replace was not found in the current file, so the lines have no numbers."
      }
    default: return nil
    }
    if let target = Self.target(of: file) {
      note = [note, "The path resolves to \(target.exact)."].compactMap(\.self).joined(separator: " ")
    }
  }

  private struct Edit {
    let old: String
    let new: String
    let replacesAll: Bool

    init?(_ json: JSONValue) {
      guard let old = json["old_string"]?.string, let new = json["new_string"]?.string else { return nil }
      (self.old, self.new, replacesAll) = (old, new, json["replace_all"]?.bool ?? false)
    }
  }

  /// The file's text after the edits; `nil` if one does not apply.
  private static func applying(_ edits: [Edit], to text: String) -> String? {
    var bytes = Array(text.utf8)
    for edit in edits {
      let (old, new) = (Array(edit.old.utf8), Array(edit.new.utf8))
      let places = old.isEmpty ? [] : bytes.ranges(of: old)
      guard places.count == 1 || (edit.replacesAll && !places.isEmpty) else { return nil }
      var edited: [UInt8] = []
      var start = 0
      for place in places {
        edited += bytes[start..<place.lowerBound] + new
        start = place.upperBound
      }
      bytes = edited + bytes[start...]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func absolute(_ path: String, in directory: String?) -> String {
    path.hasPrefix("/") ? path : (directory.map { $0 + "/" } ?? "") + path
  }

  /// The path with symbolic links resolved; `nil` if it has none.
  private static func target(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    let target = String(cString: resolved)
    return target == path || !path.hasPrefix("/") ? nil : target
  }
}

/// A file's text, if it is displayable.
enum TextFile: Sendable, Hashable {
  case text(String)
  case missing
  case unreadable(String)

  static let maximumBytes = 4 << 20

  init(_ path: String) {
    // Without O_NONBLOCK, opening a named pipe would block until another process writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      self = errno == ENOENT ? .missing : .unreadable(String(cString: strerror(errno)))
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      self = .unreadable("it is not a regular file")
      return
    }
    guard status.st_size <= Self.maximumBytes else {
      self = .unreadable("it has \(status.st_size) bytes")
      return
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= Self.maximumBytes {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      self = .unreadable("it is not text")
      return
    }
    self = .text(text)
  }
}
