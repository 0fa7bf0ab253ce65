import Foundation
import Router
import TestSupport

/// The system's GnuPG with a temporary home, and this build's routerctl as its pinentry.
final class GnuPG: Sendable {
  static let isInstalled = ["gpg", "gpg-agent", "gpg-connect-agent", "gpgconf"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }
  static let reason = "GnuPG is not installed"

  let directory: TemporaryDirectory
  private let environment: [String: String]

  /// - Parameter socket: The daemon's socket.
  init(socket: String, environment: [String: String] = [:]) throws {
    directory = try TemporaryDirectory()
    chmod(directory.path, 0o700)
    let pinentry = directory.file("pinentry-router")
    try FileManager.default.createSymbolicLink(
      atPath: pinentry, withDestinationPath: ChildProcess.products.appending(path: "routerctl").path)
    try directory.write(
      "pinentry-program \(pinentry)\ndisable-scdaemon\n", to: "gpg-agent.conf")
    try directory.write("no-tty\n", to: "gpg.conf")
    self.environment = environment.merging(
      ["GNUPGHOME": directory.path, "ROUTERD_SOCKET": socket, "LC_ALL": "C", "GPG_TTY": ""], uniquingKeysWith: { $1 })
  }

  /// Starts one of GnuPG's programs, or `sh`.
  func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess("/usr/bin/" + program, arguments, environment: environment)
  }

  /// Writes a file and returns its path.
  func file(_ name: String, _ text: String = "text") throws -> String { try directory.write(text, to: name) }

  /// Returns the process id of gpg-agent, starting it if necessary.
  func agentPID() async throws -> pid_t? {
    let lines = await (try start("gpg-connect-agent", ["GETINFO pid", "/bye"])).allOutput()
    return lines.first { $0.hasPrefix("D ") }.flatMap { pid_t($0.dropFirst(2)) }
  }

  /// Stops gpg-agent and its passphrase cache. The next program starts it again.
  func stop() async throws {
    _ = await (try start("gpgconf", ["--kill", "gpg-agent"])).exitStatus()
  }
}
