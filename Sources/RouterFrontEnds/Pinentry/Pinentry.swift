import ArgumentParser
import Glibc
import Router
import RouterClient
import RouterCommandLine

/// `routerctl pinentry`, or `pinentry-router`: asks for gpg-agent's passphrases and confirmations.
struct Pinentry: FrontEndCommand {
  static let configuration = CommandConfiguration(
    commandName: "pinentry",
    abstract: "Ask for passphrases for GnuPG, as its pinentry.",
    discussion: """
      gpg-agent starts it and speaks the pinentry protocol on standard input and output. To use it, add this line to
      ~/.gnupg/gpg-agent.conf, with the full path of the link, and run gpgconf --kill gpg-agent:

        pinentry-program /usr/local/lib/router/compat/pinentry-router

      Without a daemon or a presenter it runs $ROUTER_PINENTRY_FALLBACK instead (default: pinentry-curses).
      PINENTRY_USER_DATA=surface=NAME asks on another surface. Of pinentry's own options, --timeout, -o and those for the
      terminal have an effect.

      EXAMPLES
        routerctl pinentry --version
      """)
  static let links = ["pinentry-router"]

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  static func run(_ arguments: [String]) async -> Int32 {
    if arguments.contains("--version") {
      StandardStream.output.line("pinentry-router (Router) \(routerVersion)")
      return 0
    }
    var session = PinentrySession(
      pid: getpid(), userData: environmentVariable("PINENTRY_USER_DATA"), arguments: arguments)
    let frontEnd = FrontEnd()
    // Checked before the greeting: after it, no other program can take over.
    if let reason = await frontEnd.unavailability(on: session.surface) {
      let fallback = environmentVariable("ROUTER_PINENTRY_FALLBACK") ?? "pinentry-curses"
      RealProgram.execute(fallback, arguments)
      FrontEnd.warn("pinentry-router", "\(reason); and cannot run \(fallback) instead")
      return 1
    }
    return await serve(&session, frontEnd)
  }

  private static func serve(_ session: inout PinentrySession, _ frontEnd: FrontEnd) async -> Int32 {
    session.greeting.print()
    var input = Assuan.Reader(STDIN_FILENO)
    while let line = input.next() {
      var step = session.receive(line)
      while case .ask(let request) = step { step = session.receive(await ask(request, for: session, frontEnd)) }
      switch step {
      case .reply(let lines): lines.print()
      case .leave(let lines):
        lines.print()
        return 0
      case .ask: break
      }
    }
    return 0
  }

  /// Asks on behalf of the program that uses gpg-agent, and withdraws the question when that program exits, which gpg-agent
  /// does not detect before version 2.4.
  private static func ask(
    _ request: PresentationRequest, for session: PinentrySession, _ frontEnd: FrontEnd
  ) async -> FrontEndOutcome {
    var (request, frontEnd) = (request, frontEnd)
    if let owner = session.owner, owner.host == hostName {
      frontEnd.callers = [owner.pid]
      request.addAsker(ProcessAncestry(of: owner.pid))
    } else {
      request.addAsker(ProcessAncestry(of: getppid()))
    }
    let outcome = await frontEnd.ask(request)
    if case .unavailable(let reason, _) = outcome { FrontEnd.warn("pinentry-router", reason) }
    // Touching this file tells a program that shares the terminal to redraw.
    if let file = session.options["touch-file"], !file.isEmpty { utimes(file, nil) }
    return outcome
  }
}

extension PresentationRequest {
  /// Names the requesting program: as the app, and with its ancestry at the end of the message.
  mutating func addAsker(_ ancestry: ProcessAncestry) {
    if let process = ancestry.processes.first {
      options.app = ProcessIdentity(uid: process.uid, gid: 0, pid: process.pid, executable: process.name).name
    }
    let line = "Asked by " + ancestry.text.escapedForTerminal()
    message = (message.map { $0.cut(toBytes: 65_536 - 4098) + "\n\n" } ?? "") + line.cut(toBytes: 4096)
  }
}

extension FrontEnd {
  /// Returns the reason why a surface cannot show prompts; `nil` if it can, or if this user may not list presenters.
  func unavailability(on surface: String) async -> String? {
    do {
      if try await calling({ [client] in try await client.switched() }).isOff { return "Router is switched off" }
      let presenters =
        try await calling { [client] in try await client.surfaces() }.first { $0.name == surface }?.presenters ?? []
      return presenters.contains { $0.scope.only == nil && $0.scope.after == nil }
        ? nil : "no presenter is attached to surface \"\(surface)\""
    } catch {
      // Only presenters may list surfaces.
      if (error as? RouterError)?.code == .forbidden, (try? await client.checkHealth()) != nil { return nil }
      return (error as? RouterError)?.message ?? "\(error)"
    }
  }
}
