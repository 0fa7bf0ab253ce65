import FoundationEssentials
import Glibc
import Router
import RouterClient
import RouterCommandLine

/// What the attacks use: the daemon, its files, and prompts of their own. No attack changes a file, sends a signal that ends a
/// process, or shows a prompt on a surface that people watch.
struct AttackScene: Sendable {
  let client: RouterClient
  let database: String
  /// The daemon's configuration and rules that exist.
  let settings: [String]
  /// The agents' settings with Router's hook, and the directories of the project's settings.
  let hooks: [String]
  /// The sockets of service managers.
  let managers: [String]
  let sshAgents: [String]
  /// A surface that nobody watches.
  let surface = "doctor-attack-\(getpid())"

  init(client: RouterClient, database: String) {
    self.client = client
    self.database = database
    let paths = DefaultPaths.current
    let configurations = [paths.configuration, "/etc/routerd/routerd.yaml"]
    settings = (configurations + configurations.map(DefaultPaths.rules)).filter { access($0, F_OK) == 0 }
    hooks = AgentHost.all.flatMap { host in
      let places = [false, true].map { host.place(isProject: $0) }
      let own = places.filter { (try? $0.handlers().contains(where: \.isRouters)) == true }.map(\.path)
      let folder = host.settings.path(isProject: true).parentDirectory
      return own.isEmpty ? [] : own + (access(folder, F_OK) == 0 ? [folder] : [])
    }
    let runtimes = Set([environmentVariable("XDG_RUNTIME_DIR"), "/run/user/\(geteuid())"].compactMap(\.self)).sorted()
    managers = runtimes.flatMap { [$0 + "/bus", $0 + "/systemd/private"] }
    sshAgents = [environmentVariable("SSH_AUTH_SOCK")].compactMap(\.self) + runtimes.flatMap { runtime in
      ["openssh_agent", "gcr/ssh", "keyring/ssh", "gnupg/S.gpg-agent.ssh"].map { "\(runtime)/\($0)" }
    }
  }
}

// MARK: Through the daemon

extension AttackScene {
  /// Makes a call, which succeeds unless the daemon refuses it.
  func call(_ body: @Sendable () async throws -> String) async -> Attack.Result {
    do {
      return .succeeded(try await body())
    } catch {
      return Self.failure(error)
    }
  }

  private static func failure(_ error: any Error) -> Attack.Result {
    let words = CommandFailure(diagnosing: error)?.message ?? String(describing: error)
    guard let error = error as? RouterError else { return .failed(words) }
    // Without the page there is no link.
    return error.code == .notFound ? .untried(words) : .failed(words)
  }

  /// The process that answers.
  enum Responder: String, Sendable {
    case child = #""$0" answer "$1" --socket "$2" --button yes 2>&1; echo "status $?""#
    /// Waits until its parent has ended, and so has no ancestor in common with this process.
    case detached = #"(while kill -0 $$ 2>/dev/null; do sleep 0.02; done; setsid "$0" answer "$1" --socket "$2" --button yes 2>&1; echo "status $?") &"#
  }

  /// Asks, and answers from another process.
  ///
  /// - Parameter isAgents: Whether this process asks as an agent, whose descendants must not answer.
  func answer(isAgents: Bool, by responder: Responder) async -> Attack.Result {
    await withPrompt(isAgents: isAgents) { id in
      do {
        let pipe = try Pipe()
        let nothing = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(nothing) }
        let child = try ChildProcess(
          "/bin/sh", ["-c", responder.rawValue, RealProgram.own, id.description, client.socketPath],
          descriptors: (nothing, pipe.writeEnd, nothing))
        close(pipe.writeEnd)
        _ = child.wait()
        let words = String(decoding: pipe.readAll(keeping: 4096), as: UTF8.self)
        return words.hasSuffix("status 0\n")
          ? .succeeded("the prompt \(id) of process \(getpid())") : .failed(words.split(at: "\n").first.map(String.init) ?? words)
      } catch {
        return .untried(CommandFailure(diagnosing: error)?.message ?? String(describing: error))
      }
    }
  }

  func pause() async -> Attack.Result {
    await withPrompt(isAgents: false) { id in
      await call {
        _ = try await client.pauseSession(of: id, for: .seconds(60))
        try await client.endPause(id)
        return "the session of the prompt \(id)"
      }
    }
  }

  func present() async -> Attack.Result {
    await withPrompt(isAgents: false) { _ in .succeeded("to the surface \(surface)") } refused: { Self.failure($0) }
  }

  /// Asks on the surface, and shows the prompt there if the daemon allows it. The prompt is withdrawn at the end.
  ///
  /// - Parameter refused: Called with the daemon's reason if it does not let this process present (default: goes on).
  private func withPrompt(
    isAgents: Bool, _ body: @Sendable (PresentationID) async -> Attack.Result,
    refused: ((any Error) -> Attack.Result)? = nil
  ) async -> Attack.Result {
    var request = PresentationRequest(
      kind: .alert, title: "Exercise of routerctl doctor --attack",
      buttons: [.init(id: "yes", label: "Yes"), .init(id: "no", label: "No", role: .cancel)])
    (request.surface, request.app) = (surface, surface)
    request.timeout = .seconds(30)
    if isAgents { request.agent = getpid() }
    let handle = client.submit(request)
    defer { handle.cancel() }
    do {
      let id = try await handle.accepted().id
      do {
        for try await event in client.attach(presenter: "routerctl doctor --attack", to: surface).events {
          if case .present(let shown, _) = event, shown.id == id { return await body(id) }
        }
        return await body(id)
      } catch {
        guard let refused else { return await body(id) }
        return refused(error)
      }
    } catch {
      return .untried(CommandFailure(diagnosing: error)?.message ?? String(describing: error))
    }
  }
}

// MARK: Around the daemon

/// The ways to open a file.
enum O {
  static let read = O_RDONLY
  static let write = O_WRONLY
}

extension AttackScene {
  /// Opens the first file that can be opened, without reading or changing it. A directory counts if files can be created in it.
  func open(_ paths: [String], _ how: CInt) -> Attack.Result {
    var reasons: [String] = []
    for path in paths {
      var status = stat()
      let isDirectory = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      let descriptor = isDirectory ? access(path, W_OK) : Glibc.open(path, how | O_CLOEXEC | O_NONBLOCK)
      if descriptor < 0 {
        reasons.append(Self.reason(path))
        continue
      }
      if !isDirectory { close(descriptor) }
      return .succeeded(path)
    }
    return reasons.isEmpty ? .untried("there is none") : .failed(reasons.joined(separator: "; "))
  }

  /// Opens the database in the file system of another process, where it may be visible.
  func openThroughProcesses() -> Attack.Result {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
    for process in processes.sorted() where process != getpid() {
      let result = open(["/proc/\(process)/root\(database)"], O.read)
      if case .succeeded = result { return result }
    }
    return .failed("no process shows it")
  }

  func openMemory() -> Attack.Result {
    withDaemon { open(["/proc/\($0)/mem"], O.read) }
  }

  /// Checks whether this process may send signals to the daemon.
  func signalDaemon() -> Attack.Result {
    withDaemon { kill($0, 0) == 0 ? .succeeded("process \($0)") : .failed(Self.reason("process \($0)")) }
  }

  private func withDaemon(_ body: (pid_t) -> Attack.Result) -> Attack.Result {
    guard let descriptor = SSHAgentSocket.connect(to: client.socketPath) else { return .untried(Self.reason(client.socketPath)) }
    defer { close(descriptor) }
    guard let pid = PeerCredentials(ofSocket: descriptor)?.pid, pid > 0 else {
      return .failed("the daemon's process is not visible")
    }
    return body(pid)
  }

  /// Connects to the first of the sockets that listens, and sends nothing.
  func connect(to paths: [String]) -> Attack.Result {
    for path in paths {
      guard let descriptor = SSHAgentSocket.connect(to: path) else { continue }
      close(descriptor)
      return .succeeded(path)
    }
    return .failed("none listens: \(paths.joined(separator: ", "))")
  }

  /// Connects to a socket with an abstract name (unix(7)), and sends nothing.
  func connectAbstract() -> Attack.Result {
    guard case .text(let table) = TextFile("/proc/net/unix") else { return .untried("cannot read /proc/net/unix") }
    let names: [String] = table.split(at: "\n").compactMap { line in
      let words = line.split(at: " ").map(String.init)
      // The flag of a listening socket, and an abstract name.
      guard words.count == 8, words[3] == "00010000", words[7].hasPrefix("@") else { return nil }
      return String(words[7].dropFirst())
    }
    for name in names {
      guard let address = try? UnixSocketAddress(abstract: name) else { continue }
      for type in [SOCK_STREAM, SOCK_SEQPACKET] {
        let descriptor = socket(AF_UNIX, CInt(type.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        if address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 { return .succeeded("@" + name) }
      }
    }
    return names.isEmpty ? .untried("none listens") : .failed("none of \(names.count) can be reached")
  }

  /// Asks the kernel to put a character at an invalid address into the terminal's input (TIOCSTI), which fails either way.
  func typeIntoTerminal() -> Attack.Result {
    let terminal = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return .untried("there is no terminal") }
    defer { close(terminal) }
    guard ioctl(terminal, 0x5412, 0) != 0, errno != EFAULT else { return .succeeded("/dev/tty") }
    return .failed(Self.reason("/dev/tty"))
  }

  private static func reason(_ path: String) -> String { "\(path): \(String(cString: strerror(errno)))" }
}
