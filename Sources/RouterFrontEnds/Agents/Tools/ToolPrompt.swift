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
  /// The command or the change.
  private(set) var attachment: PresentationRequest.Attachment?
  /// Whether all of it is shown.
  private(set) var isComplete = true

  init(_ call: ToolCall) {
    var lines: [String] = []
    if let directory = call.directory { lines.append("Directory: \(directory.exact.joinedLines)") }
    if let change = FileChange(call) {
      title =
        "\(call.tool.exactTitle): change \(change.path.split(separator: "/").last.map(String.init)?.exactTitle ?? "a file")?"
      lines.append("File: \(change.path.exact.joinedLines)")
      lines += Self.members(of: call.input, except: change.shown)
      if !change.notes.isEmpty { lines.append(change.notes.joined(separator: " ")) }
      if change.diff.isEmpty { lines.append("No changes.") }
      attachment = change.diff.isEmpty ? nil : PresentationRequest.Attachment(.diff, change.diff.joined(separator: "\n"))
    } else if let command = call.input["command"]?.string {
      let isPatch = call.tool == "apply_patch"
      title = isPatch ? "\(call.tool.exactTitle): apply this patch?" : "\(call.tool.exactTitle): run this command?"
      lines += Self.members(of: call.input, except: call.agentsWords == nil ? ["command"] : ["command", "description"])
      if let words = call.agentsWords { lines += ["The agent says:"] + words.exactLines.map { "  " + $0 } }
      if isPatch { lines += call.patchNotes.map(\.joinedLines) }
      attachment = PresentationRequest.Attachment(isPatch ? .diff : .command, command)
    } else {
      title = "Use the tool \(call.tool.exactTitle)?"
      let members = Self.members(of: call.input, except: [])
      lines += (lines.isEmpty ? [] : [""]) + (members.isEmpty ? ["No input."] : members)
      if let path = call.input["file_path"]?.string ?? call.input["notebook_path"]?.string, !call.tool.hasPrefix("mcp__") {
        lines += ToolPath(path, in: call.directory).notes
      }
    }
    message = lines.joined(separator: "\n")
    cut(lines)
  }

  /// Truncates text that is too long, and states at the top how much is missing.
  private mutating func cut(_ lines: [String]) {
    var missing: [String] = []
    if message.utf8.count > Self.maximumBytes {
      let (kept, rest) = Self.cut(lines, toBytes: Self.maximumBytes)
      message = kept
      missing.append(rest)
    }
    if let text = attachment?.text, text.utf8.count > PresentationRequest.Attachment.maximumBytes {
      let (kept, rest) = Self.cut(
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) },
        toBytes: PresentationRequest.Attachment.maximumBytes)
      attachment?.text = kept
      missing.append(rest)
    }
    isComplete = missing.isEmpty
    if !isComplete { message = missing.map { "CAUTION: \($0)\n\n" }.joined() + message }
  }

  /// Returns the request without the caller's options.
  func request(metadata: OrderedDictionary<String, String>) -> PresentationRequest {
    var request = PresentationRequest(
      kind: .alert, title: title, message: message.isEmpty ? nil : message,
      buttons: [
        PresentationRequest.Button(
          id: Self.allow, label: isComplete ? "Allow" : "Allow without seeing all of it", role: .destructive),
        PresentationRequest.Button(id: Self.deny, label: "Deny", role: .cancel),
      ],
      metadata: metadata)
    request.attachments = attachment.map { [$0] } ?? []
    return request
  }

  /// Formats an input's members, one or more lines each. Lines of text are indented so that they cannot imitate members.
  private static func members(of input: JSONValue, except shown: Set<String>) -> [String] {
    guard let members = input.object else { return input.description.exactLines.map { "  " + $0 } }
    return members.filter { !shown.contains($0.key) }.flatMap { name, value in
      let name = name.exact.joinedLines
      let lines = (value.string ?? value.description).exactLines
      return lines.count == 1 ? ["\(name): \(lines[0])"] : ["\(name):"] + lines.map { "  " + $0 }
    }
  }

  /// Returns as many lines as fit, and a description of the missing ones.
  private static func cut(_ lines: [String], toBytes maximum: Int) -> (kept: String, missing: String) {
    var (kept, bytes) = ([String](), 0)
    for line in lines {
      guard bytes + line.utf8.count + 1 <= maximum else { break }
      bytes += line.utf8.count + 1
      kept.append(line)
    }
    var missing = "\(lines.count - kept.count) more lines are not shown: the prompt would be too long."
    if kept.count < lines.count, bytes < maximum / 2 {
      // Shows the beginning of a line that does not fit as a whole.
      let line = lines[kept.count]
      let part = line.scalars(fitting: maximum - bytes - 3)
      kept.append(part + "…")
      missing =
        "\(line.utf8.count - part.utf8.count) bytes of a line and \(lines.count - kept.count) more lines "
        + "are not shown: the prompt would be too long."
    }
    return (kept.joined(separator: "\n"), missing)
  }
}

extension String {
  /// The text in one line, with line feeds escaped.
  fileprivate var joinedLines: String { replacing("\n", with: "\\u{A}") }
}
