import Glibc
import Router

/// The process that connected to the agent, as the kernel reports it.
final class SSHAgentClient: Sendable {
  /// What is known about the client when it asks.
  struct Caller: Sendable, Hashable {
    /// The process; `nil` if it has ended or is in another PID namespace.
    var pid: Int32?
    var ancestry = ProcessAncestry([])
    /// The name for the request.
    var app = "unknown"
    /// The executable, if it is certainly the one that connected.
    var program: String?
    /// The script that the executable runs. The process can change this text.
    var script: String?

    /// The command line of the process.
    var arguments: [[UInt8]]? { ancestry.processes.first?.arguments }
  }

  let uid: UInt32
  private let gid: UInt32
  private let pid: Int32
  /// Distinguishes the process from a later one with the same id; -1 if it had ended.
  private let descriptor: CInt
  private let identity: ProcessIdentity?

  /// - Parameter socket: The connected socket. Returns `nil` if the kernel does not report the peer.
  init?(socket: CInt) {
    guard let peer = PeerCredentials(ofSocket: socket) else { return nil }
    (uid, gid, pid) = (peer.uid, peer.gid, peer.pid)
    descriptor = pid > 0 ? Descriptors.process(pid) ?? -1 : -1
    identity = descriptor < 0 ? nil : ProcessIdentity(uid: peer.uid, gid: peer.gid, lookingUp: peer.pid, pidfd: descriptor)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Looks up the process again.
  var caller: Caller {
    guard let identity else { return Caller() }
    let ancestry = ProcessAncestry(of: pid)
    // Reads the process after its ancestry, so that both are of the same one.
    let now = ProcessIdentity(uid: uid, gid: gid, lookingUp: pid, pidfd: descriptor)
    guard now.ancestry != nil else { return Caller() }
    let isSame = now.executableDoubt == nil && identity.executableDoubt == nil && now.executable == identity.executable
    return Caller(
      pid: pid, ancestry: ancestry, app: now.callerName, program: isSame ? now.executable : nil,
      script: now.ancestry?.first?.script)
  }
}
