import Glibc
import Router

/// The prompts that approved tool calls, in files of `$XDG_RUNTIME_DIR`: a later process, the hook for the end of the call, reports
/// the result.
enum ApprovedCall {
  private static func path(_ call: ToolCall) -> String? {
    guard let runtime = environmentVariable("XDG_RUNTIME_DIR"), let session = call.session else { return nil }
    let directory = runtime + "/router-agent"
    mkdir(directory, 0o700)
    // PermissionRequest has no id in Claude Code.
    return "\(directory)/\(JSONValue.array([.string(session), .string(call.digest)]).digest)"
  }

  /// Notes the prompt of a call, if it asked about an act.
  static func note(_ presentation: Presentation, for call: ToolCall) {
    guard let act = presentation.request.act, let path = path(call) else { return }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    Array("\(presentation.id) \(act.digest)".utf8).withUnsafeBytes { _ = Descriptors.writeAll(file, $0) }
  }

  /// Returns the prompt of a call and the digest of its act, once.
  static func take(_ call: ToolCall) -> (id: PresentationID, act: String)? {
    guard let path = path(call) else { return nil }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    unlink(path)
    guard let text = Descriptors.readAll(file, limit: 1024) else { return nil }
    let words = String(decoding: text, as: UTF8.self).split(separator: " ").map(String.init)
    guard words.count == 2, let id = PresentationID(words[0]) else { return nil }
    return (id, words[1])
  }
}
