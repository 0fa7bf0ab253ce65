import OrderedCollections
import Router

/// The prompt for a tool call: exactly what would run.
///
/// Nothing is omitted silently: a line at the top counts the omitted lines, and the allow button says so. Enter never allows,
/// because a prompt may appear while the person is typing.
struct ToolPrompt: Sendable {
  static let allow = "allow"
  static let deny = "deny"
  /// The limit for the message's body, below the daemon's limit to leave room for the line that counts omissions.
  static let maximumBytes = 60_000

  let title: String
  private(set) var message: String
  /// Whether the message shows the whole call.
  private(set) var isComplete = true

  init(_ call: ToolCall) {
    var lines: [String] = []
    if let directory = call.directory { lines.append("Directory: \(directory.exact.joinedLines)") }
    if let change = FileChange(call) {
      title =
        "\(call.tool.exactTitle): change \(change.path.split(separator: "/").last.map(String.init)?.exactTitle ?? "a file")?"
      lines.append("File: \(change.path.exact.joinedLines)")
      lines += Self.members(of: call.input, except: change.shown)
      if let note = change.note { lines.append(note) }
      lines += [""] + (change.diff.isEmpty ? ["Nothing changes."] : change.diff)
    } else if let command = call.input["command"]?.string {
      let isPatch = command.hasPrefix("*** Begin Patch")
      title = isPatch ? "\(call.tool.exactTitle): apply this patch?" : "\(call.tool.exactTitle): run this command?"
      lines += Self.members(of: call.input, except: call.agentsWords == nil ? ["command"] : ["command", "description"])
      lines += [""] + command.exactLines.map { isPatch ? $0 : "  " + $0 }
      if let words = call.agentsWords {
        lines += ["", "The agent says:"] + words.exactLines.map { "  " + $0 }
      }
    } else {
      title = "Use the tool \(call.tool.exactTitle)?"
      let members = Self.members(of: call.input, except: [])
      lines += [""] + (members.isEmpty ? ["It has no input."] : members)
    }
    if lines.first == "" { lines.removeFirst() }
    message = lines.joined(separator: "\n")
    if message.utf8.count > Self.maximumBytes {
      isComplete = false
      message = Self.cut(lines)
    }
  }

  /// Returns the request without the caller's options.
  func request(metadata: OrderedDictionary<String, String>) -> PresentationRequest {
    PresentationRequest(
      kind: .alert, title: title, message: message,
      buttons: [
        PresentationButton(
          id: Self.allow, label: isComplete ? "Allow" : "Allow without seeing all of it", role: .destructive),
        PresentationButton(id: Self.deny, label: "Deny", role: .cancel),
      ],
      metadata: metadata)
  }

  /// Formats an input's members, one or more lines each. A text's lines are indented so that they cannot imitate another
  /// member.
  private static func members(of input: JSONValue, except shown: Set<String>) -> [String] {
    guard let members = input.object else { return input.description.exactLines.map { "  " + $0 } }
    return members.filter { !shown.contains($0.key) }.flatMap { name, value in
      let name = name.exact.joinedLines
      let lines = (value.string ?? value.description).exactLines
      return lines.count == 1 ? ["\(name): \(lines[0])"] : ["\(name):"] + lines.map { "  " + $0 }
    }
  }

  /// Returns as many lines as fit, after a line that counts the omitted ones.
  private static func cut(_ lines: [String]) -> String {
    var (kept, bytes) = ([String](), 0)
    for line in lines {
      guard bytes + line.utf8.count + 1 <= maximumBytes else { break }
      bytes += line.utf8.count + 1
      kept.append(line)
    }
    var missing = "\(lines.count - kept.count) more lines are not shown: the prompt would be too long."
    if kept.count < lines.count, bytes < maximumBytes / 2 {
      // Shows the beginning of a line that does not fit as a whole.
      let line = lines[kept.count]
      let part = line.scalars(fitting: maximumBytes - bytes)
      kept.append(part + "…")
      missing =
        "\(line.utf8.count - part.utf8.count) bytes of a line and \(lines.count - kept.count) more lines "
        + "are not shown: the prompt would be too long."
    }
    return "CAUTION: \(missing)\n\n" + kept.joined(separator: "\n")
  }
}

extension String {
  /// The text in one line, with line feeds escaped.
  fileprivate var joinedLines: String { replacing("\n", with: "\\u{A}") }
}
