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
    sshAgents =
      [environmentVariable("SSH_AUTH_SOCK")].compactMap(\.self)
      + runtimes.flatMap { runtime in
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
    case detached = #"""
      (while kill -0 $$ 2>/dev/null; do sleep 0.02; done
      setsid "$0" answer "$1" --socket "$2" --button yes 2>&1; echo "status $?") &
      """#
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
        return words.ends(with: "status 0\n")
          ? .succeeded("the prompt \(id) of process \(getpid())")
          : .failed(words.split(at: "\n").first.map(String.init) ?? words)
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
    await withPrompt(isAgents: false) { _ in
      .succeeded("to the surface \(surface)")
    } refused: {
      Self.failure($0)
    }
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
