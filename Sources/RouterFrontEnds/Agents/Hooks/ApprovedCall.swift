import Glibc
import Router

/// The prompts that approved tool calls, stored in files: a later process, the hook for the end of the call, reports the
/// result.
enum ApprovedCall {
  /// Returns the paths for a call. Equal calls in progress use different paths, because PermissionRequest has no id in Claude
  /// Code.
  private static func paths(_ call: ToolCall) -> [String] {
    guard let session = call.session else { return [] }
    let directory = AgentFiles.directory
    let name = JSONValue.array([.string(session), .string(call.digest)]).digest
    return (0..<16).map { "\(directory)/\(name).\($0)" }
  }

  /// Stores the prompt of a call, if the prompt showed an act.
  static func note(_ presentation: Presentation, for call: ToolCall) {
    guard let act = presentation.request.act else { return }
    for path in paths(call) {
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file >= 0 else { continue }
      defer { close(file) }
      return Array("\(presentation.id) \(act.digest)".utf8).withUnsafeBytes { _ = Descriptors.writeAll(file, $0) }
    }
  }

  /// Returns the prompt of a call and the digest of its act, once; the newest of equal calls, since an older one may never have
  /// run.
  static func take(_ call: ToolCall) -> (id: PresentationID, act: String)? {
    for path in paths(call).reversed() {
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      defer { close(file) }
      // Another process may take the file at the same time.
      guard unlink(path) == 0, let text = Descriptors.readAll(file, limit: 1024) else { continue }
      let words = String(decoding: text, as: UTF8.self).split(at: " ").map(String.init)
      guard words.count == 2, let id = PresentationID(words[0]) else { continue }
      return (id, words[1])
    }
    return nil
  }
}
