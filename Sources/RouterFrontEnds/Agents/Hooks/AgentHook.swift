import ArgumentParser
import Glibc
import OrderedCollections
import Router
import RouterClient
import RouterCommandLine

/// `routerctl agent hook`: answers one hook event of Claude Code or Codex.
///
/// Never exits with 2, which hosts treat as a denial.
struct AgentHook: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hook",
    abstract: "Answer one hook event of Claude Code or Codex.",
    discussion: """
      Reads the event from standard input and prints the decision. If nobody decides, because there is no daemon or presenter,
      the prompt expires or the event cannot be read, the agent asks by itself. Codex denies a call of PreToolUse instead,
      because it cannot ask for it.

      PreToolUse and PermissionRequest ask. In the permission modes bypassPermissions and dontAsk nobody is asked, except by
      AskUserQuestion and ExitPlanMode; a rule that denies a call still denies it in PreToolUse. An event in the dialect of
      another host gets no answer, and 'routerctl agent doctor' names the host.

      PostToolUse, PostToolUseFailure, PermissionDenied, Stop, Interrupt and
      SessionEnd withdraw prompts that the agent no longer waits for. The first two also report the result of an approved call.

      With --defer, PreToolUse asks and ends the run of 'claude -p' at once. When the session resumes, the hook prints the
      answer. --resume-command resumes it as soon as there is an answer; $ROUTER_AGENT_SESSION is the session's id. A call
      without "tool_use_id" is not deferred, since its answer could not be told from that of an identical call.

      EXAMPLES
        routerctl agent hook < event.json
        routerctl agent hook --defer --resume-command 'claude -p --resume "$ROUTER_AGENT_SESSION" > resumed.log'
      """)

  /// The default prompt timeout: slightly less than the hosts' limit for a hook of ten minutes.
  static let defaultTimeout = Duration.seconds(590)

  /// The maximum wait for a restarting daemon.
  static let patience = Duration.seconds(30)

  @Option(help: "Name of the agent shown in the prompt.")
  var app = AgentHost.claude.app

  @Option(help: ArgumentHelp("Expire the prompt after this time (default: 590s; never with --defer).", valueName: "time"))
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Until then, a pause of the session does not count to --timeout (default: it counts).", valueName: "time"))
  var limit: DurationArgument?

  @Flag(help: "In auto mode, do not ask about PreToolUse, before the agent's classifier decides.")
  var escalationsOnly = false

  @Flag(help: "End the agent's run now, and answer when its session resumes.")
  var `defer` = false

  @Option(help: ArgumentHelp("With --defer: shell command that resumes the session.", valueName: "command"))
  var resumeCommand: String?

  @Option(help: ArgumentHelp("With --defer: URL that the daemon calls when the prompt ends.", valueName: "url"))
  var onDismiss: String?

  @Option(help: ArgumentHelp("The daemon's socket (default: $ROUTERD_SOCKET).", valueName: "path"))
  var socket: String?

  func validate() throws {
    guard `defer` || (resumeCommand == nil && onDismiss == nil) else {
      throw ValidationError("--resume-command and --on-dismiss require --defer.")
    }
  }

  func run() async throws {
    let input = StandardInput.all()
    let event: HookEvent?
    do {
      event = try Self.event(input)
    } catch {
      // Without a decision about PreToolUse, the agent's own rules would decide.
      guard HookEvent.Name.find(in: input.content) == .preToolUse else { throw error }
      return print(.unavailable(error.message.cut(toBytes: 500)), for: .preToolUse)
    }
    guard let event else { return }
    let decider = event.decider(asksInAutoMode: !escalationsOnly)
    var frontEnd = FrontEnd(socket: socket, patience: Self.patience)
    if !event.name.asks {
      await withdraw(orphansOf: event, frontEnd.client)
      if let result = event.result, let (id, act) = ApprovedCall.take(event.call) {
        // The presentation may have been pruned.
        try? await frontEnd.client.report(ActReport(act: act, result), of: id)
      }
    } else if decider == .person, event.name == .preToolUse, `defer`, event.call.id != nil {
      await askDeferred(event, frontEnd)
    } else if decider != .host {
      let agent = AgentProcess.find()
      frontEnd.callers = agent.map { [$0] } ?? []
      let gate = ToolGate(
        frontEnd: frontEnd, app: app, timeout: timeout?.duration ?? Self.defaultTimeout, limit: limit?.duration,
        agent: agent, hook: getpid(),
        mayChangeMode: event.name == .permissionRequest)
      if decider == .denyingRule {
        guard await gate.isDeniedByRule(event.call) else { return }
      }
      print(await gate.decide(event.call) { ApprovedCall.note($0, for: event.call) }, for: event.name)
    }
  }

  private static func event(_ input: (content: [UInt8], isComplete: Bool)) throws(CommandFailure) -> HookEvent? {
    guard input.isComplete else { throw CommandFailure(.usage, "cannot read the hook event: it is too long") }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: input.content, maximumDepth: MCPServer.maximumDepth)
    } catch {
      throw CommandFailure(.usage, "cannot read the hook event: \(error)")
    }
    guard HookEvent.isInKnownDialect(json) else {
      UnknownHost.note()
      return nil
    }
    return try HookEvent(json)
  }

  private func print(_ decision: ToolDecision, for name: HookEvent.Name) {
    if case .unavailable(let why) = decision { FrontEnd.warn("routerctl", why) }
    let host = AgentHost.allCases.first { $0.app == app } ?? .claude
    if let output = HookOutput(decision, for: name, of: host) { StandardStream.output.line(output.json.description) }
  }

  /// Cancels the prompts that this event leaves without a waiting caller.
  private func withdraw(orphansOf event: HookEvent, _ client: RouterClient) async {
    guard let open = try? await client.presentations(app: app) else { return }
    for presentation in open where presentation.requester.process.uid == getuid() && event.orphans(presentation) {
      guard presentation.request.agent == nil else {
        WaitingHook.end(for: presentation)
        continue
      }
      // The presentation may have ended in the meantime.
      _ = try? await client.cancel(presentation.id)
    }
  }

  /// Sends a detached request, or returns the answer of an earlier run: the same tool call has the same idempotency key.
  private func askDeferred(_ event: HookEvent, _ frontEnd: FrontEnd) async {
    let question = event.call.question(mayChangeMode: false)
    // The agent exits before the answer, so there is no process to compare the answering process with.
    let gate = ToolGate(frontEnd: frontEnd, app: app, timeout: timeout?.duration, agent: nil)
    var request = gate.request(for: event.call, question)
    request.metadata[ToolCall.Label.deferred] = "yes"
    do {
      try Cryptography.load()
      request.onDismiss = try onDismiss.map { url throws(JSONError) in try PresentationRequest.CallbackAddress(url) }
      // If the file has changed, so have the diff and the prompt: only the approved change runs.
      let presentation = try await frontEnd.client.detach(request, idempotencyKey: "agent-" + request.json.digest)
      guard presentation.state == .resolved else {
        if presentation.requester.process.pid == getpid() { try startWaiting(for: presentation.id, event.call) }
        return StandardStream.output.line(HookOutput.deferral.json.description)
      }
      print(ToolGate.decision(FrontEndOutcome(presentation), question), for: event.name)
    } catch {
      print(.unavailable(CommandFailure(diagnosing: error)?.message ?? String(describing: error)), for: event.name)
    }
  }

  /// Starts a process that outlives this one and resumes the session once the prompt is answered and the agent has exited.
  private func startWaiting(for id: PresentationID, _ call: ToolCall) throws {
    guard let resumeCommand else { return }
    var arguments = ["agent", "resume", id.description, "--command", resumeCommand]
    if let session = call.session { arguments += ["--session", session] }
    if let agent = AgentProcess.find() { arguments += ["--after", String(agent)] }
    if let socket { arguments += ["--socket", socket] }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(nothing) }
    _ = try ChildProcess("/proc/self/exe", arguments, descriptors: (nothing, nothing, nothing))
  }
}
