import Dispatch
import FoundationEssentials
import Glibc
import Router
import RouterClient
import RouterCommandLine

/// A daemon for one demonstration, with a private socket and database, and default settings.
struct DemoDaemon {
  /// The time limit for starting and stopping, in seconds.
  static let patience = 10

  private let directory: TemporaryDirectory
  private let child: ChildProcess

  private var socket: String { directory.path + "/routerd.sock" }
  private var log: String { directory.path + "/routerd.out" }

  /// Runs `body` once the daemon is ready. Always stops the daemon and removes its directory.
  static func run(_ body: (RouterClient) async throws -> Void) async throws {
    let directory = try TemporaryDirectory(prefix: "routerctl-demo")
    defer { directory.remove() }
    let daemon = try DemoDaemon(in: directory)
    do {
      try await daemon.untilReady()
      try await body(RouterClient(socketPath: daemon.socket, app: "address-book"))
    } catch {
      _ = await daemon.stop()
      throw error
    }
    let status = await daemon.stop()
    guard status == 0 else {
      throw CommandFailure(.defect, "the demo failed: routerd exited with status \(status). \(daemon.lastWords)")
    }
  }

  private init(in directory: TemporaryDirectory) throws {
    self.directory = directory
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    let output = open(directory.path + "/routerd.out", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer {
      close(null)
      close(output)
    }
    // Ignore the user's configuration file and variables, and a service manager's socket.
    let settings = directory.path + "/routerd.yaml"
    try Data().write(to: URL(filePath: settings))
    let isForeign = { (name: String) in name.hasPrefix("ROUTERD_") || ["NOTIFY_SOCKET", "LISTEN_PID"].contains(name) }
    child = try ChildProcess(
      try Self.executable(),
      ["--config", settings, "--socket", directory.path + "/routerd.sock", "--database", directory.path + "/routerd.db"],
      descriptors: (null, output, output),
      environment: ProcessInfo.processInfo.environment.filter { !isForeign($0.key) })
  }

  /// Returns the path of the `routerd` beside this program, or else of the first one in PATH.
  private static func executable() throws -> String {
    let own = ProcessIdentity.current.executable ?? ""
    let beside = own.split(at: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let path = environmentVariable("PATH") ?? ""
    for directory in [beside] + path.split(at: ":").map(String.init) where !directory.isEmpty {
      let candidate = directory + "/routerd"
      if access(candidate, X_OK) == 0 { return candidate }
    }
    throw CommandFailure(.defect, "cannot find routerd: it is neither next to routerctl nor in PATH")
  }

  private func untilReady() async throws {
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    var pause = Duration.milliseconds(10)
    while true {
      do {
        return try await RouterClient(socketPath: socket).checkHealth()
      } catch let error as RouterError {
        guard !child.hasEnded, .now < deadline else {
          throw CommandFailure(.defect, "cannot start routerd: \(lastWords.isEmpty ? error.message : lastWords)")
        }
      }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(200))
    }
  }

  private func stop() async -> ChildProcess.ExitCode {
    child.signal(SIGTERM)
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patience)) { [child] in child.signal(SIGKILL) }
    return await blockingWork { [child] in child.wait() }
  }

  private var lastWords: String {
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    return text.lines.last { !$0.isEmpty }.map { String($0) } ?? ""
  }
}
