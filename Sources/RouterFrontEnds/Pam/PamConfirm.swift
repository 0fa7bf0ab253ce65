import ArgumentParser
import Glibc
import Router
import RouterClient
import RouterCommandLine

/// `routerctl pam-confirm`: approves a PAM authentication with a click instead of a password.
package struct PamConfirm: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pam-confirm",
    abstract: "Approve sudo or su with a click, for pam_exec.",
    discussion: """
      Exits with 0 only if someone other than the requesting user pressed Allow, and otherwise with 1, which denies. Add it to
      a file in /etc/pam.d, before the line that asks for a password:

        auth sufficient pam_exec.so quiet /usr/local/bin/routerctl pam-confirm

      It always uses the system's daemon and ignores the environment. Keep a root shell open while you test it.

      EXAMPLES
        routerctl pam-confirm --timeout 30s
      """)

  /// The system daemon's socket. Not read from the environment, which the requesting user may control.
  @Option(help: ArgumentHelp("The daemon's socket.", valueName: "path"))
  var socket = "/run/routerd/routerd.sock"

  @Option(help: "Surface to ask on.")
  var surface = "main"

  @Option(help: ArgumentHelp("How long to wait for an answer (default: 60s).", valueName: "time"))
  var timeout: DurationArgument?

  func run() async throws {
    guard let denial = await denial() else { return }
    FrontEnd.warn("pam-confirm", "denied: \(denial)")
    throw ExitCode(1)
  }

  private func denial() async -> String? {
    let ancestry = ProcessAncestry(of: getpid())
    // Requires root: a user can manipulate their own processes. sudo, su and others start pam_exec with root's privileges and
    // the asking user's real uid.
    guard geteuid() == 0, setuid(0) == 0 else { return "it must run as root: users can manipulate their own processes" }
    let entries = sequence(first: environ, next: { $0 + 1 }).lazy.map(\.pointee).prefix { $0 != nil }
    do {
      let question = try PamQuestion(
        environment: entries.compactMap { $0.map(Self.text) }, ancestry: ancestry, surface: surface,
        timeout: timeout?.duration ?? .seconds(60), uid: { try? AccountNames.user(named: $0) })
      let listeners = try TrustedListeners(at: socket, parties: question.parties)
      return question.denial(await FrontEnd(socket: socket, listeners: listeners.users).ask(question.request))
    } catch let denial as PamQuestion.Denial {
      return denial.reason
    } catch let distrust as TrustedListeners.Distrust {
      return distrust.reason
    } catch {
      return "\(error)"
    }
  }

  /// Returns a text of the environment, which may contain arbitrary bytes from a user.
  private static func text(_ entry: UnsafeMutablePointer<CChar>) -> String {
    String(showing: UnsafeRawBufferPointer(start: entry, count: strlen(entry)))
  }
}
