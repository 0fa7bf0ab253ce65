import Glibc
import Router
package import RouterCommandLine

/// Checks that ssh keys are asked for through Router, if the user has set that up.
package struct SSHAgentCheck {
  /// The socket in `SSH_AUTH_SOCK`, and the default one of Router's agent.
  private let used: String?
  private let own: String?

  package init() { (used, own) = (environmentVariable("SSH_AUTH_SOCK"), SSHAgentCommand.defaultPath) }

  package func findings() -> [Finding] {
    let descriptor = used.flatMap { SSHAgentSocket.connect(to: $0) }
    defer { if let descriptor { close(descriptor) } }
    if let used, let descriptor, Self.isRouters(descriptor) {
      guard let count = Self.keys(descriptor) else {
        return [
          .problem(
            "ssh keys: Router's agent at \(used) cannot list keys. Fix: start your agent, the --upstream of routerctl ssh-agent"
          )
        ]
      }
      return [.fine("ssh keys: asked for through Router (\(String(counting: count, "key")) at \(used))")]
    }
    guard let own else { return [] }
    if own == used, descriptor == nil {
      return [.problem("ssh keys: no agent listens at \(own). Fix: routerctl setup --ssh-agent, or start routerctl ssh-agent")]
    }
    guard let live = SSHAgentSocket.connect(to: own) else { return [] }
    close(live)
    return [
      .problem(
        "ssh keys: programs use \(used ?? "no agent") instead of Router's agent. Fix: export SSH_AUTH_SOCK=\(own.shellQuoted)")
    ]
  }

  /// Whether routerctl listens at the socket.
  private static func isRouters(_ descriptor: CInt) -> Bool {
    PeerCredentials(ofSocket: descriptor).flatMap { Proc.executable($0.pid) }?.fileName == "routerctl"
  }

  /// Returns the number of keys that the agent lists within five seconds.
  private static func keys(_ descriptor: CInt) -> Int? {
    let request = SSHAgentFrame(SSHAgentFrame.Kind.requestIdentities).bytes
    guard SSHAgentSocket.send(descriptor, request) == request.count else { return nil }
    var frames = SSHAgentFrames()
    while true {
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 5000) == 1, let bytes = SSHAgentSocket.receive(descriptor) else { return nil }
      frames.append(bytes)
      if let frame = frames.next() {
        var reader = SSHReader(frame.body)
        return frame.kind == SSHAgentFrame.Kind.identities ? reader.number().map { Int($0) } : nil
      }
      if frames.isMalformed { return nil }
    }
  }
}
