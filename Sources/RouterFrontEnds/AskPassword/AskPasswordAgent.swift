import ArgumentParser
import Glibc
import Router
import RouterClient
import RouterCommandLine

/// `routerctl ask-password-agent`: a systemd password agent.
package struct AskPasswordAgent: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask-password-agent",
    abstract: "Answer systemd's password requests.",
    discussion: """
      Runs until stopped, and shows password requests of systemd-ask-password, cryptsetup and others as prompts. Other agents
      keep working: the first answer wins. Closing the prompt cancels the request for all agents; letting it expire does not.
      Config/systemd has units that start this agent.

      EXAMPLES
        routerctl ask-password-agent --system
        routerctl ask-password-agent --user --surface desk
      """)

  enum Whose: String, EnumerableFlag {
    case system, user
  }

  @Flag(help: "Answer the system's requests or your own (default: the system's for root, else your own).")
  var whose: Whose?

  @Option(help: ArgumentHelp("Directory of the requests (default: systemd's).", valueName: "path"))
  var directory: String?

  @Option(help: "Surface to ask on.")
  var surface = "main"

  @Option(help: ArgumentHelp("The daemon's socket (default: see 'routerctl socket').", valueName: "path"))
  var socket: String?

  func run() async throws {
    SecretBytes.forbidCoreDumps()
    let directory = try AskPasswordDirectory(path: path())
    // Each task ends with its question: when it is answered, expires, or is canceled below after its file was removed.
    var open: [AskPasswordDirectory.Entry: Task<Void, Never>] = [:]
    for await _ in directory.changes {
      let entries = directory.entries
      for (entry, task) in open where !entries.contains(entry) {
        task.cancel()
        open[entry] = nil
      }
      for entry in entries where open[entry] == nil {
        do {
          let file = try directory.file(entry)
          open[entry] = Task { await answer(file) }
        } catch {
          FrontEnd.warn("ask-password-agent", "cannot use \(entry.name): \(error.reason)")
        }
      }
    }
    throw CommandFailure(.defect, "cannot continue to watch \(directory.path)")
  }

  private func path() throws -> String {
    if let directory { return directory }
    let base: String
    if whose.map({ $0 == .system }) ?? (geteuid() == 0) {
      base = "/run"
    } else if let runtime = DefaultPaths.current.runtime {
      base = runtime
    } else {
      throw CommandFailure(.usage, "cannot find your password requests: XDG_RUNTIME_DIR is not set. Pass --directory")
    }
    return base + "/systemd/ask-password"
  }

  /// Asks until the question is answered or has ended. Waits for a daemon and a presenter, because other agents may answer in
  /// the meantime, and sends nothing without an answer.
  private func answer(_ file: AskPasswordFile) async {
    var frontEnd = FrontEnd(socket: socket)
    frontEnd.waitsForPresenter = true
    frontEnd.callers = file.pid.map { [$0] } ?? []
    var pause = Duration.seconds(1)
    while !Task.isCancelled, file.isAsked, let request = file.request(surface: surface, now: MonotonicClock.microseconds) {
      switch await frontEnd.ask(request) {
      case .answered(.value(let answer), _):
        return send(SecretBytes("+".utf8, (answer["password"]?.string ?? "").utf8), to: file.socket)
      case .declined, .dismissed: return send(SecretBytes("-"), to: file.socket)
      case .answered, .expired, .withdrawn: return
      case .unavailable(let reason, _):
        FrontEnd.warn("ask-password-agent", reason)
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .seconds(60))
      }
    }
  }

  /// Sends the answer as one datagram. Ignores a requester that has exited.
  private func send(_ answer: SecretBytes, to path: String) {
    guard let address = try? UnixSocketAddress(path: path) else {
      return FrontEnd.warn("ask-password-agent", "cannot answer: \(path) is too long for a socket")
    }
    let error = DatagramSocket(to: address, .second).map { answer.withBytes($0.send) } ?? errno
    if error != 0 { FrontEnd.warn("ask-password-agent", "cannot answer at \(path): \(String(cString: strerror(error)))") }
  }
}
