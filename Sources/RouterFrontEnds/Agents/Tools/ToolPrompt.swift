import OrderedCollections
import Router

/// The prompt for a tool call, with its exact effect.
///
/// The command or change comes first, as attachments. The first attachment counts omitted lines, and the allow button mentions
/// them. Enter denies, because a prompt may appear while the person is typing.
struct ToolPrompt: ToolQuestion {
  static let (allow, deny) = ("allow", "deny")
  /// The size limits for the command or change, for the rest of the input, and for the agent's description. Their sum is below
  /// the daemon's limit.
  private static let (maximumBytes, maximumDetails, maximumMessage) = (190_000, 60_000, 16_000)

  let title: String
  /// The agent's description of the call.
  private(set) var message: String?
  /// The command or the change, followed by all other input that affects the result.
  private(set) var attachments: [PresentationRequest.Attachment] = []
  /// Whether the entire call is shown.
  private(set) var isComplete = true
  private let act: (act: Act, matches: [PresentationRequest.Remember.Match])?

  init(_ call: ToolCall) {
    let change = FileChange(call)
    title = ToolTitle(call, change).text
    act = call.act(change)
    var details: [String] = []
    var main: PresentationRequest.Attachment?
    let place = call.directory.map { " in \($0.exact.joinedLines)" } ?? ""
    if let change {
      details += change.notes
      if change.diff.isEmpty { details.append(change.isNew ? "The file is empty." : "No changes.") }
      details += Self.members(of: call.input, except: change.shown)
      let path = ([change.path] + [ToolPath(change.path, in: call.directory).target].compactMap(\.self))
        .map(\.exact.joinedLines).joined(separator: " → ")
      if change.diff.isEmpty {
        details.insert("File: \(path)", at: 0)
      } else {
        main = PresentationRequest.Attachment(.diff, change.diff.joined(separator: "\n"))
        Self.setTitle(of: &main, to: path, or: "File: \(path)", in: &details)
      }
    } else if let command = call.input["command"]?.string {
      let isPatch = call.isPatch
      if isPatch { details += call.patchNotes.map(\.joinedLines) }
      // The act shows its variables itself.
      let shown = ["command"] + (call.agentsWords == nil ? [] : ["description"]) + (act?.act.environment.keys.elements ?? [])
      details += Self.members(of: call.input, except: Set(shown))
      main = PresentationRequest.Attachment(isPatch ? .diff : .command, command)
      Self.setTitle(of: &main, to: (isPatch ? "Patch" : "Command") + place, or: "Directory:\(place.dropFirst(3))", in: &details)
      message = call.agentsWords?.exact
    } else {
      if let path = call.input["file_path"]?.string ?? call.input["notebook_path"]?.string, !call.tool.begins(with: "mcp__") {
        details += ToolPath(path, in: call.directory).notes
      }
      let members = Self.members(of: call.input, except: [])
      details += members.isEmpty ? ["No input."] : members
      if let directory = call.directory { details.append("Directory: \(directory.exact.joinedLines)") }
    }
    if message?.utf8.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }) == true { message = nil }
    cut(main, details)
  }

  /// Titles an attachment, or adds a line to the details if the title would be too long.
  private static func setTitle(
    of attachment: inout PresentationRequest.Attachment?, to title: String, or line: String, in details: inout [String]
  ) {
    if title.utf8.count <= 240 { attachment?.title = title } else { details.insert(line, at: 0) }
  }

  /// Sets the attachments, truncated if they are too long. The first one then states the omitted amount.
  private mutating func cut(_ main: PresentationRequest.Attachment?, _ details: [String]) {
    var missing: [String] = []
    var main = main
    if let text = main?.text, text.utf8.count > Self.maximumBytes {
      let (kept, rest) = Self.cut(
        text.split(at: "\n", omittingEmptySubsequences: false).map { String($0) },
        toBytes: Self.maximumBytes)
      main?.text = kept
      missing.append(rest)
    }
    let (text, rest) = Self.cut(details, toBytes: Self.maximumDetails)
    if text.utf8.count < details.joined(separator: "\n").utf8.count { missing.append(rest) }
    if let message, message.utf8.count > Self.maximumMessage {
      self.message = message.scalars(fitting: Self.maximumMessage) + "…"
    }
    isComplete = missing.isEmpty
    if !isComplete {
      attachments.append(PresentationRequest.Attachment(.text, missing.joined(separator: "\n"), title: "CAUTION"))
    }
    if let main { attachments.append(main) }
    if !text.isEmpty {
      attachments.append(PresentationRequest.Attachment(.text, text, title: main == nil ? "Input" : "Details"))
    }
  }

  func request(metadata: OrderedDictionary<String, String>) -> PresentationRequest {
    var request = PresentationRequest(
      kind: .alert, title: title, message: message,
      buttons: [
        PresentationRequest.Button(id: Self.allow, label: isComplete ? "Allow" : "Allow without seeing all of it"),
        PresentationRequest.Button(id: Self.deny, label: "Deny", role: .cancel, isDefault: true),
      ],
      metadata: metadata)
    request.attachments = attachments
    request.act = act?.act
    // A call that is not shown in full is not remembered.
    if isComplete, let matches = act?.matches {
      request.remember = PresentationRequest.Remember(matches: matches, periods: [.session, .seconds(3600), .always])
    }
    return request
  }

  func decision(_ answer: PresentationAnswer, _ comment: String?) -> ToolDecision {
    answer == .button(Self.allow) ? .allow(updatedInput: nil, comment: comment) : .denied(comment)
  }

  /// Formats an input's members, one or more lines each. Indents lines of text so that they cannot imitate members.
  private static func members(of input: JSONValue, except shown: Set<String>) -> [String] {
    guard let members = input.object else { return input.description.exactLines.map { "  " + $0 } }
    return members.filter { !shown.contains($0.key) }.flatMap { name, value in
      let name = name.exact.joinedLines
      let lines = (value.string ?? value.description).exactLines
      return lines.count == 1 ? ["\(name): \(lines[0])"] : ["\(name):"] + lines.map { "  " + $0 }
    }
  }

  /// Returns the lines that fit, and a description of the omitted ones.
  private static func cut(_ lines: [String], toBytes maximum: Int) -> (kept: String, missing: String) {
    var (kept, bytes) = ([String](), 0)
    for line in lines {
      guard bytes + line.utf8.count + 1 <= maximum else { break }
      bytes += line.utf8.count + 1
      kept.append(line)
    }
    var missing = "\(lines.count - kept.count) more lines are not shown: the prompt would be too long."
    if kept.count < lines.count, bytes < maximum / 2 {
      // Shows the beginning of a line that does not fit.
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
  fileprivate var joinedLines: String { replacing(each: "\n", with: "\\u{A}") }
}
