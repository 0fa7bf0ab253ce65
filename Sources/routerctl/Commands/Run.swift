import ArgumentParser
import Glibc
import Router
import RouterClient
import RouterCommandLine

struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a command exactly as a person approved it.",
    usage: "routerctl run [<options>] -- <command> [<argument> ...]",
    discussion: """
      Shows the command, its directory, PATH, unusual variables and the SHA-256 of its files. After a yes, checks the files again and \
      executes the open program, so that nothing else can take its place. The environment has HOME, PATH, LANG, LC_*, TERM, USER, \
      LOGNAME, SHELL, TZ, XDG_RUNTIME_DIR, DISPLAY, WAYLAND_DISPLAY and SSH_AUTH_SOCK, and what --env names. Not covered: files \
      that the command opens, also those of its arguments once they are checked, its input, its libraries, and the network.

      EXAMPLES
        routerctl run -- git push origin main
        routerctl run --reason 'rotate the key' -- ssh prod rotate-key; test $? -eq 111 && echo declined
        routerctl run --env NODE_ENV=production --file package-lock.json -- npm ci

      EXIT STATUS
        the command's, or 128 plus the number of the signal that ended it
        111 112 113 115 116 117  declined, cancelled, dismissed, expired, not shown, refused
        119  a file changed since it was shown, or is being written
        125  no daemon, not allowed, or another error; nothing ran
        126  the command cannot be executed
        127  the command cannot be found
      """)

  @Option(help: ArgumentHelp("Why, shown below the question.", valueName: "text"))
  var reason: String?

  @Option(help: ArgumentHelp("Pass a variable, with its present value or this one; repeatable.", valueName: "name[=value]"))
  var env: [String] = []

  @Option(
    help: ArgumentHelp(
      "Check this file too; repeatable. Files that arguments name are checked anyway, if you may read them: at most 32, with 64 MiB.",
      valueName: "path"))
  var file: [String] = []

  @Flag(help: "Pass all variables. The prompt shows each that is not in the list above, or is unusual.")
  var passEnv = false

  @Flag(help: "Execute the path, which may change until it starts, instead of the open file.")
  var byPath = false

  @Option(
    help: ArgumentHelp(
      "Write a line of JSON with the members presentation, act and ran to this descriptor at the end.", valueName: "number"))
  var reportFd: Int32?

  @OptionGroup var options: RunOptions

  @Argument(
    parsing: .postTerminator, help: ArgumentHelp("The command and its arguments.", valueName: "command", visibility: .hidden))
  var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else { throw ValidationError("Pass the command after --, as in: routerctl run -- make install") }
  }

  func run() async throws {
    let failure: RunFailure
    do {
      throw ExitCode(try await runApproved())
    } catch let code as ExitCode {
      throw code
    } catch let error as RunFailure {
      failure = error
    } catch let error as RouterError {
      let status = ExitStatus(error)
      failure = RunFailure(.failed, error.message)
      if status == .refused {
        say(failure.message)
        throw ExitCode(status.ofRun)
      }
    } catch {
      failure = RunFailure(.failed, "\(error)")
    }
    say(failure.message)
    throw ExitCode(failure.status.rawValue)
  }

  private func say(_ text: String) {
    if !options.quiet { StandardStream.error.message("routerctl: \(text.escapedForTerminal())") }
  }

  /// Asks, runs the command and reports the result. Returns the exit status.
  private func runApproved() async throws -> Int32 {
    let ignored = ExactExecution.ignoredSignals
    try prepareReport()
    guard command.elementsEqual(Self.words(count: command.count), by: { $0 == $1 }) else {
      throw RunFailure(.failed, "cannot show the command: it is not UTF-8, so nobody could check it")
    }
    let environment = try RunEnvironment(named: env, passesAll: passEnv)
    let directory = open(".", Descriptors.directoryOnly)
    guard directory >= 0, let place = getcwd(nil, 0) else {
      throw RunFailure(.failed, "cannot open the working directory: \(SystemFailure())")
    }
    defer { free(place) }
    var program = try CheckedProgram(command, path: environment.path, more: file, byPath: byPath, directory: directory)
    var act = Act("run", arguments: command, directory: String(cString: place), environment: environment.shown)
    act.files = program.files.map(\.shown)
    act.execution = program.execution

    let forwarder = SignalForwarder()
    let message = ([reason].compactMap(\.self) + program.notes).joined(separator: "\n\n")
    let (client, presentation) = try await ask(options.request(act, reason: message.isEmpty ? nil : message), then: forwarder)
    let status = ExitStatus(presentation)
    guard status == .answered else {
      say("not run: \(presentation.endText)")
      try write(presentation, act, nil)
      return status.ofRun
    }
    let start = MonotonicClock.microseconds
    func report(_ result: ActReport.Result) async throws {
      let duration = Duration.microseconds(MonotonicClock.microseconds - start)
      let report = ActReport(act: act.digest, result, duration: duration)
      do { try await client.report(report, of: presentation.id) } catch { say("cannot record the result: \(error)") }
      try write(presentation, act, report)
    }
    let child: pid_t
    do {
      child = try forwarder.start { try program.start(environment: environment.entries, ignoring: ignored) }
    } catch {
      try await report(.notRun((error as? RunFailure)?.message ?? "stopped by a signal"))
      throw error
    }
    let result = await blockingWork { forwarder.wait(for: child) }
    try await report(result)
    switch result {
    case .status(let status): return Int32(status)
    case .signal(let signal): return 128 + Int32(signal)
    case .failed, .notRun: return RunFailure.Status.failed.rawValue
    }
  }

  /// Asks and waits. SIGINT, SIGTERM, SIGHUP and SIGQUIT withdraw the prompt and end the program. Afterward, signals go to the
  /// forwarder.
  private func ask(
    _ request: PresentationRequest, then forwarder: SignalForwarder
  ) async throws -> (RouterClient, Presentation) {
    let inline = options.prompt.noInline ? nil : InlineAttachment()
    let client = options.daemon.client(app: options.prompt.app, mayStartLater: true) { text in
      guard let inline else { return StandardStream.error.message("routerctl: " + text.escapedForTerminal()) }
      inline.terminal.say(text)
    }
    let handle = client.submit(request)
    let presentation = try await Signals.whileHandling {
      TerminalModes.restore()
      handle.cancel()
    } perform: {
      let wait = OutcomeWait(client: client, surface: request.surface, inline: inline, isQuiet: options.quiet)
      let presentation = try await wait.outcome(of: handle)
      // The command reads the original standard input.
      inline?.giveBack()
      if presentation.outcome?.name == .answered { try forwarder.listen() }
      return presentation
    }
    if presentation.outcome?.name != .answered { Signals.endByReceived() }
    return (client, presentation)
  }

  // MARK: Arguments and the report

  /// The last words of the command line; empty if one of them is not UTF-8.
  private static func words(count: Int) -> [String] {
    let all = CommandLine.unsafeArgv
    let words = (Int(CommandLine.argc) - count..<Int(CommandLine.argc)).compactMap { index in
      all[index].flatMap { String(validatingCString: $0) }
    }
    return words.count == count ? words : []
  }

  /// Checks the report's descriptor, and closes it for the command.
  private func prepareReport() throws(RunFailure) {
    guard let reportFd else { return }
    guard fcntl(reportFd, F_GETFD) >= 0 else {
      throw RunFailure(.failed, "cannot write to --report-fd \(reportFd): it is not open")
    }
    _ = fcntl(reportFd, F_SETFD, FD_CLOEXEC)
  }

  private func write(_ presentation: Presentation, _ act: Act, _ report: ActReport?) throws {
    guard let reportFd else { return }
    let line = JSONText { writer in
      writer.add("presentation", presentation.id.description)
      writer.add("act", act.digest)
      writer.add("ran", optional: report)
    }
    let bytes = Array("\(line)\n".utf8)
    let failure = bytes.withUnsafeBytes { Descriptors.writeAll(reportFd, $0) }
    if let failure { say("cannot write the report: \(SystemFailure(failure))") }
  }
}
