import Foundation
import Router
import TestSupport
import Testing

/// The real ssh-agent with one key, and `routerctl ssh-agent` in front of it.
struct SSHAgentPlace {
  var place: FrontEndPlace
  let upstream: ChildProcess
  let agent: ChildProcess
  /// The socket of routerctl.
  let socket: String

  static let isPossible = ["ssh", "ssh-add", "ssh-agent", "ssh-keygen"].allSatisfy { FrontEndPlace.has("/usr/bin/" + $0) }
  static let reason = "needs openssh-client"

  init(_ daemon: TestDaemon, environment: [String: String] = [:]) async throws {
    place = try await FrontEndPlace(daemon)
    let directory = place.directory
    try Self.makePrivate(directory.file("agent"))
    try Self.makePrivate(directory.file(".ssh"))
    try await Self.makeKey(directory.file("k"), place)
    let own = directory.file("upstream")
    upstream = try place.start("/usr/bin/ssh-agent", "-D", "-a", own)
    for await line in upstream.output where line.contains("SSH_AUTH_SOCK") { break }
    let add = try place.start("/usr/bin/ssh-add", "-q", directory.file("k"), environment: ["SSH_AUTH_SOCK": own])
    await add.expectExit()
    // Only the agent has the private key.
    try FileManager.default.removeItem(atPath: directory.file("k"))
    socket = directory.file("agent/s")
    agent = try await Self.start(place, upstream: own, socket: socket, environment)
    place.environment["SSH_AUTH_SOCK"] = socket
  }

  /// Starts `routerctl ssh-agent`, and waits until it listens.
  static func start(
    _ place: FrontEndPlace, upstream: String, socket: String, _ environment: [String: String] = [:], _ arguments: String...
  ) async throws -> ChildProcess {
    let agent = try ChildProcess(
      "routerctl", ["ssh-agent", "--upstream", upstream, "--listen", socket] + arguments,
      environment: place.environment.merging(environment) { $1 })
    for await line in agent.output where line.hasPrefix("export SSH_AUTH_SOCK=") { return agent }
    throw RouterError(.unreachable, "routerctl ssh-agent has ended: \(agent.printed)")
  }

  static func makePrivate(_ directory: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  static func makeKey(_ path: String, _ place: FrontEndPlace) async throws {
    let made = try place.start("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "work@laptop", "-f", path)
    await made.expectExit()
  }

  /// Ends the agents.
  func end() {
    agent.signal(SIGKILL)
    upstream.signal(SIGKILL)
  }

  func file(_ name: String) -> String { place.directory.file(name) }

  /// Signs a text with the key of the agent.
  func sign(_ namespace: String = "file", environment: [String: String] = [:]) throws -> ChildProcess {
    try place.start(
      "/usr/bin/ssh-keygen", "-Y", "sign", "-f", file("k.pub"), "-n", namespace, input: "text", environment: environment)
  }
}

/// An sshd on a high port of 127.0.0.1 that accepts the key of the agent.
struct LoopbackSSHD {
  let port: UInt16
  let process: ChildProcess
  let hostKey: String
  private let place: FrontEndPlace

  static let isPossible = SSHAgentPlace.isPossible && FrontEndPlace.has("/usr/sbin/sshd") && getuid() == 0
  static let reason = "needs ssh, sshd and root"

  init(_ agent: SSHAgentPlace) async throws {
    let host = agent.file("host")
    place = agent.place
    try await SSHAgentPlace.makeKey(host, place)
    try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
    hostKey = try String(contentsOfFile: host + ".pub", encoding: .utf8).split(separator: " ").prefix(2).joined(separator: " ")
    try agent.place.directory.write(
      """
      HostKey \(host)
      AuthorizedKeysFile \(agent.file("k.pub"))
      ListenAddress 127.0.0.1
      PidFile none
      UsePAM no
      StrictModes no
      PasswordAuthentication no

      """, to: "sshd_config")
    for port in (20_000..<60_000).shuffled().prefix(20).map(UInt16.init) {
      let sshd = try agent.place.start("/usr/sbin/sshd", "-D", "-e", "-f", agent.file("sshd_config"), "-p", "\(port)")
      guard await sshd.line(with: "Server listening") != nil else { continue }
      (self.port, process) = (port, sshd)
      try agent.place.directory.write("\(name) \(hostKey)\n", to: ".ssh/known_hosts")
      return
    }
    throw RouterError(.unreachable, "cannot start sshd on 20 ports")
  }

  /// The host's name in known_hosts.
  var name: String { "[127.0.0.1]:\(port)" }

  /// The words of a call of ssh, which uses the first value of an option.
  func words(_ options: [String], _ command: String) -> [String] {
    options + [
      "-F", "/dev/null", "-p", "\(port)", "-o", "UserKnownHostsFile=\(place.directory.file(".ssh/known_hosts"))",
      "-o", "BatchMode=yes", "-o", "ControlPath=none", "root@127.0.0.1", command,
    ]
  }

  /// Runs a command on the host.
  func ssh(_ options: String..., command: String, agent: SSHAgentPlace) throws -> ChildProcess {
    try ChildProcess("/usr/bin/ssh", words(options, command), environment: agent.place.environment)
  }
}
