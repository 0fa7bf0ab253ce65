import Router

/// The title of a tool call's prompt, which describes the action: `Run npm test?`, `Edit cart.py (+12 −3)?`, `github:
/// merge_pull_request 42?`. A title that ends with a URL has no question mark, which would seem to be part of the URL.
///
/// Lists show titles, so each names its command or file. A long title is truncated in the middle; the prompt shows the full
/// text below.
package struct ToolTitle: Sendable {
  private static let maximumCharacters = 72

  let text: String

  /// - Parameter change: The call's file change; `nil` if there is none.
  init(_ call: ToolCall, _ change: FileChange?) {
    let what: String
    if let change {
      let name = ToolPath(change.path, in: call.directory).name(in: call.directory)
      let (added, removed) = (change.diff.count { $0.begins(with: "+") }, change.diff.count { $0.begins(with: "-") })
      let counts = change.isNew ? "" : " (+\(added) −\(removed))"
      what = (change.isNew ? "Create " : call.tool == "Write" ? "Write " : "Edit ") + Self.short(name) + counts
    } else if call.isPatch {
      let paths = call.patchPaths
      let more = paths.count > 1 ? " and \(paths.count - 1) more" : ""
      what = "Apply a patch" + (paths.first.map { " to " + Self.short($0) } ?? "") + more
    } else {
      let parts = call.tool.split(separator: "__", omittingEmptySubsequences: false).map(String.init)
      let isMCP = parts.count >= 3 && parts[0] == "mcp"
      let (server, tool) = isMCP ? (parts[1] + ": ", parts[2...].joined(separator: "__")) : ("", call.tool)
      if tool == "Bash", !isMCP, let command = call.input["command"]?.string {
        what = "Run " + Self.short(command)
      } else {
        let subject = Self.subject(of: call.input).map(Self.short)
        what = server + Self.short(tool) + (subject.map { (Self.endsWithAddress($0) ? ": " : " ") + $0 } ?? "")
      }
    }
    text = (what + (Self.endsWithAddress(what) ? "" : "?")).exactTitle
  }

  /// The title of a command's prompt.
  package static func running(_ command: String) -> String {
    let what = "Run " + short(command)
    return (what + (endsWithAddress(what) ? "" : "?")).exactTitle
  }

  private static func endsWithAddress(_ text: String) -> Bool {
    text.split(at: " ").last?.contains("://") == true
  }

  /// The argument that distinguishes calls of a tool: a command, a number or an id, otherwise the first text.
  private static func subject(of input: JSONValue) -> String? {
    let members = input.object?.compactMap { name, value -> (name: String, text: String)? in
      switch value {
      case .number(let number): (name, number.literal)
      case .string(let text) where !text.isEmpty: (name, text)
      default: nil
      }
    }
    func isKey(_ name: String) -> Bool { ["number", "id"].contains { name.lowercased().ends(with: $0) } }
    return (members?.first { $0.name == "command" } ?? members?.first { isKey($0.name) } ?? members?.first)?.text
  }

  /// Returns the first nonempty line, truncated in the middle; an ellipsis stands for further lines.
  private static func short(_ text: String) -> String {
    let lines = text.exactLines.map(\.trimmingWhiteSpace).filter { !$0.isEmpty }
    let line = (lines.first ?? "") + (lines.count > 1 ? " …" : "")
    guard line.count > maximumCharacters else { return line }
    let half = (maximumCharacters - 1) / 2
    return line.prefix(maximumCharacters - 1 - half) + "…" + line.suffix(half)
  }
}
