import Router
import RouterCommandLine

/// The change that a tool call would make to one file.
struct FileChange: Sendable {
  let path: String
  /// The lines of the diff.
  let diff: [String]
  /// The members of the input that the diff covers.
  let shown: Set<String>
  /// Notes about the file.
  let notes: [String]
  /// Whether the change creates the file.
  let isNew: Bool

  /// Reads a file edit from a tool's input; `nil` if the tool does not edit a file.
  init?(_ call: ToolCall) {
    guard let path = call.input["file_path"]?.string else { return nil }
    self.path = path
    let place = ToolPath(path, in: call.directory)
    let current = TextFile(place.file)
    let note: String?
    var fails = false
    switch call.tool {
    case "Write":
      guard let content = call.input["content"]?.string else { return nil }
      shown = ["file_path", "content"]
      diff = UnifiedDiff.lines(from: current.text ?? "", to: content)
      switch current {
      case .text, .missing: note = nil
      case .unreadable(let why): note = "This replaces a file that cannot be shown: \(why)."
      }
    case "Edit", "MultiEdit":
      // Each tool reads only its own members; the other tool's members have no effect.
      let isOne = call.tool == "Edit"
      let parts = isOne ? [call.input] : call.input["edits"]?.array ?? []
      shown = isOne ? ["file_path", "old_string", "new_string"] : ["file_path", "edits"]
      let edits = parts.compactMap(Edit.init)
      guard !edits.isEmpty, edits.count == parts.count else { return nil }
      do throws(Obstacle) {
        diff = UnifiedDiff.lines(from: current.text ?? "", to: try Self.applying(edits, to: current))
        note = nil
      } catch {
        fails = true
        diff = edits.flatMap { UnifiedDiff.lines(from: $0.old, to: $0.new, numbered: false) }
        note = "\(error.sentence), so the lines have no numbers."
      }
    default: return nil
    }
    notes = [note].compactMap(\.self) + place.notes
    isNew = current == .missing && !fails
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

  /// The reason why an edit does not apply.
  private enum Obstacle: Error {
    case noFile
    case unreadable(String)
    case notFound
    case ambiguous(Int)

    var sentence: String {
      switch self {
      case .noFile: "The file does not exist"
      case .unreadable(let why): "The file cannot be shown (\(why))"
      case .notFound: "The text to replace was not found in the current file"
      case .ambiguous(let count): "The text to replace was found \(count) times in the current file"
      }
    }
  }

  /// Returns the file's text after the edits.
  private static func applying(_ edits: [Edit], to file: TextFile) throws(Obstacle) -> String {
    var bytes: [UInt8]
    switch file {
    case .text(let text): bytes = Array(text.utf8)
    case .unreadable(let why): throw .unreadable(why)
    case .missing:
      // An edit with an empty old text creates the file.
      guard edits.count == 1, edits[0].old.isEmpty else { throw .noFile }
      return edits[0].new
    }
    for edit in edits {
      var (old, new) = (Array(edit.old.utf8), Array(edit.new.utf8))
      var places = old.isEmpty ? [] : bytes.ranges(of: old)
      // Tools show a DOS file's lines with LF, and write them with CR LF.
      if places.isEmpty, !old.isEmpty {
        (old, new) = (edit.old.withDOSLineEnds, edit.new.withDOSLineEnds)
        places = bytes.ranges(of: old)
      }
      guard !places.isEmpty else { throw .notFound }
      guard places.count == 1 || edit.replacesAll else { throw .ambiguous(places.count) }
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
}

extension String {
  fileprivate var withDOSLineEnds: [UInt8] { Array(withUnixLineEnds.replacing(each: "\n", with: "\r\n").utf8) }
}
