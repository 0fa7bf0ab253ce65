import FoundationEssentials
import Glibc
import OrderedCollections
import Router
import RouterCommandLine

/// The session of an agent, which its hook notes in a file for the front ends that the agent's commands start, such as askpass.
///
/// The file is named after the agent's process, so that a front end finds it by its ancestors, which the kernel knows.
struct AgentSession: Sendable {
  /// The agent's process.
  let agent: Int32
  let session: String
  /// The directory in which the agent works.
  let directory: String?

  /// What places a prompt in the session.
  var metadata: OrderedDictionary<String, String> {
    var labels: OrderedDictionary<String, String> = [AgentLabel.session: session]
    labels[AgentLabel.directory] = directory
    return labels
  }

  private static let prefix = "session."

  private static func file(_ directory: String, _ process: Proc.Stat) -> String {
    "\(directory)/\(prefix)\(process.pid).\(process.started)"
  }

  /// Notes the session of an event, and forgets the sessions of agents that have ended.
  static func note(_ call: ToolCall, agent: Int32) {
    guard let session = call.session?.exactTitle, let process = Proc.Stat(agent) else { return }
    let text = JSONValue.present([
      ("session", .string(session)), ("directory", call.directory.map { .string($0.exact.scalars(fitting: 4096)) }),
    ]).description
    let directory = AgentFiles.directory
    let path = file(directory, process)
    if TextFile(path) == .text(text) { return }
    try? FileReplacement.write(Array(text.utf8), to: path, mode: 0o600)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] where name.begins(with: prefix) {
      let words = name.split(at: ".")
      if words.count == 3, let pid = Int32(words[1]), Proc.Stat(pid).map({ String($0.started) }) != String(words[2]) {
        unlink(directory + "/" + name)
      }
    }
  }

  /// Returns the session of a process's nearest ancestor that is an agent; `nil` if none is.
  static func above(_ pid: Int32) -> AgentSession? {
    let directory = AgentFiles.directory
    var child = Proc.Stat(pid)
    for _ in 1..<ProcessIdentity.Ancestor.limit {
      guard let known = child, let process = Proc.Stat(known.parent), process.started <= known.started else { return nil }
      child = process
      guard case .text(let text) = TextFile(file(directory, process)), let json = try? JSONValue(parsing: text),
        let session = json["session"]?.string
      else { continue }
      return AgentSession(agent: process.pid, session: session, directory: json["directory"]?.string)
    }
    return nil
  }
}

extension PresentationRequest {
  private static let reason = "reason"

  /// Marks a question of a command that an agent runs: it belongs to the agent's session, and the agent must not answer it. A form
  /// gets a field for a reason to refuse, because a sensitive prompt has no comment.
  mutating func setSession(_ session: AgentSession) {
    self.metadata.merge(session.metadata) { $1 }
    self.agent = session.agent
    schema?.properties.append(
      FormSchema.Property(
        name: Self.reason, kind: .string, title: "Or why not", description: "Refuses, and tells the agent why.",
        isRequired: false, maximumLength: 1000))
  }

  /// The reason to refuse in an answer; `nil` if the answer allows.
  static func refusal(in answer: PresentationAnswer) -> String? {
    guard case .value(let value) = answer, let text = value[reason]?.string, text.hasVisibleCharacter else { return nil }
    return text
  }
}
