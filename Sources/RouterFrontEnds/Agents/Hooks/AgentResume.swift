import ArgumentParser
import Glibc
import Router
import RouterClient
import RouterCommandLine

/// `routerctl agent resume`: waits for a deferred answer, then resumes the agent.
struct AgentResume: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Wait for a deferred answer, then run a command.", shouldDisplay: false)

  @Argument var id: PresentationID
  @Option var command: String
  @Option var session: String?
  /// The agent's process, which must have ended before its session can be resumed.
  @Option var after: Int32?
  @Option var socket: String?

  func run() async throws {
    let client = RouterClient(
      socketPath: socket ?? RouterClient.defaultSocketPath(), reconnect: ReconnectPolicy(patience: nil))
    switch try await client.resolved(id).outcome {
    case .answered, .dismissed: break
    default: return
    }
    if let after, let descriptor = Descriptors.process(after) {
      var ended = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&ended, 1, -1) < 0, errno == EINTR {}
    }
    if let session { setenv("ROUTER_AGENT_SESSION", session, 1) }
    let words: [String] = ["/bin/sh", "-c", command]
    var vector = words.map { strdup($0) } + [nil]
    execv("/bin/sh", &vector)
    throw CommandFailure(.defect, "cannot start /bin/sh: \(String(cString: strerror(errno)))")
  }
}
