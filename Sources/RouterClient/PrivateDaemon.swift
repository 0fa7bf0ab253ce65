import Dispatch
import FoundationEssentials
import Glibc
import Router

/// A daemon with its own socket, log and configuration in a temporary directory.
package final class PrivateDaemon: Sendable {
  /// The time limit for starting and stopping, in seconds.
  private static let patience = 10

  private let directory: String
  private let child: ChildProcess
  private let exit: Task<ChildProcess.ExitCode, Never>

  package var socket: String { directory + "/routerd.sock" }
  package var database: String { directory + "/routerd.db" }
  private var output: String { directory + "/routerd.out" }

  /// Starts a daemon, and returns once it is ready. It runs until ``stop()``, and ignores the user's configuration and
  /// variables.
  ///
  /// - Parameters:
  ///   - executable: The path of `routerd` (default: beside this program, otherwise in `PATH`).
  ///   - settings: The text of its configuration file.
  ///   - leadsGroup: Whether the daemon has its own process group, so that Ctrl-C does not end it.
  /// - Throws: ``RouterError`` with the daemon's output, if it does not start; `CancellationError`.
  package init(executable: String? = nil, settings: String = "", leadsGroup: Bool = true) async throws {
    let executable = try executable ?? Self.found()
    var template = Array("\(environmentVariable("TMPDIR") ?? "/tmp")/router-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw RouterError(.unavailable, "cannot create a temporary directory: \(String(cString: strerror(errno)))")
    }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do {
      child = try Self.start(executable, in: directory, settings: settings, leadsGroup: leadsGroup)
    } catch {
      try? FileManager.default.removeItem(atPath: directory)
      throw error
    }
    // Ends with the daemon.
    exit = Task { [child] in await blockingWork { child.wait() } }
    do {
      try await untilReady()
    } catch {
      try? await stop()
      throw error
    }
  }

  private static func start(
    _ executable: String, in directory: String, settings: String, leadsGroup: Bool
  ) throws -> ChildProcess {
    let file = directory + "/routerd.yaml"
    try Data(settings.utf8).write(to: URL(filePath: file))
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    let output = open(directory + "/routerd.out", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer {
      close(null)
      close(output)
    }
    // The user's variables, and a service manager's socket.
    let isForeign = { (name: String) in name.begins(with: "ROUTERD_") || ["NOTIFY_SOCKET", "LISTEN_PID"].contains(name) }
    return try ChildProcess(
      executable,
      ["--config", file, "--socket", directory + "/routerd.sock", "--database", directory + "/routerd.db"],
      descriptors: (null, output, output),
      environment: ProcessInfo.processInfo.environment.filter { !isForeign($0.key) }, leads: leadsGroup ? .group : nil)
  }

  /// Returns the path of the `routerd` beside this program, otherwise the first one in `PATH`.
  static func found() throws(RouterError) -> String {
    let beside = (ProcessIdentity.current.executable ?? "").parentDirectory
    let path = environmentVariable("PATH") ?? ""
    for directory in [beside] + path.split(at: ":").map(String.init) where !directory.isEmpty {
      let candidate = directory + "/routerd"
      if access(candidate, X_OK) == 0 { return candidate }
    }
    throw RouterError(.unreachable, "cannot find routerd: it is neither in \(beside) nor in PATH; build or install it")
  }

  private func untilReady() async throws {
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    var pause = Duration.milliseconds(10)
    while true {
      do {
        return try await RouterClient(socketPath: socket).checkHealth()
      } catch let error as RouterError {
        guard !child.hasEnded, .now < deadline else {
          let printed = printed
          throw RouterError(.unreachable, "cannot start routerd: \(printed.isEmpty ? error.message : printed)")
        }
      }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(200))
    }
  }

  /// Stops the daemon and removes its directory. Ignores cancellation of the task.
  ///
  /// - Throws: ``RouterError`` with the daemon's output, if it has failed.
  package func stop() async throws {
    child.signal(SIGTERM)
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patience)) { [child] in child.signal(SIGKILL) }
    let status = await exit.value
    let printed = printed
    try? FileManager.default.removeItem(atPath: directory)
    guard status == 0 else { throw RouterError(.unreachable, "routerd exited with status \(status): \(printed)") }
  }

  /// The last lines that the daemon has printed.
  private var printed: String {
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    return text.lines.filter { !$0.isEmpty }.suffix(10).joined(separator: "\n")
  }
}
