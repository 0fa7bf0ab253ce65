import ArgumentParser
import Glibc
import OrderedCollections
import Router
import RouterClient
import RouterCommandLine

/// `routerctl agent hook`: answers one hook event of an agent.
///
/// Never exits with 2, which hosts treat as a denial.
struct AgentHook: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hook",
    abstract: "Answer one hook event of an agent.",
    discussion: """
      Reads the event from standard input and prints the decision. The event's members tell which agent sent it, and the answer
      has that agent's form. An event of an unknown agent gets no answer, and 'routerctl agent doctor' names the agent.

      If nobody decides, because there is no daemon or presenter, the prompt expires or the event cannot be read, the agent asks
      by itself. Before a tool (PreToolUse), Codex and Cline cannot ask, so the call is denied.

      In the permission modes bypassPermissions and dontAsk nobody is asked, except by AskUserQuestion and ExitPlanMode; a rule
      that denies a call still denies it before the tool runs. Events after a call, and at the end of a turn or session, withdraw
      prompts that the agent no longer waits for, and report the result of an approved call.

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

  @Option(
    help: "Name of the agent shown in the prompt (default: by the event). The name of a known agent: answer only its events.")
  var app: String?

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
    let begin = ContinuousClock.now
    let input = StandardInput.object(maximumDepth: MCPServer.maximumDepth)
    let installed = AgentHost.all.first { $0.app == app }
    let (host, event): (AgentHost, HookEvent)
    do {
      let json = try Self.json(input)
      guard let sender = AgentHost.sender(of: json, installed: installed) else {
        if installed == nil { UnknownHost.note() }
        return
      }
      guard let known = try HookEvent(json, of: sender) else { return }
      (host, event) = (sender, known)
    } catch {
      // Without a decision about PreToolUse, the agent's own rules would decide.
      let host = installed ?? .claude
      guard let (name, hostsName) = HookEvent.Name.find(in: input.content, of: host), name == .preToolUse else { throw error }
      return print(.unavailable(error.message.cut(toBytes: 500)), host, name, hostsName)
    }
    try await answer(event, of: host, since: begin)
  }

  private static func json(_ input: (content: [UInt8], isComplete: Bool)) throws(CommandFailure) -> JSONValue {
    guard input.isComplete else { throw CommandFailure(.usage, "cannot read the hook event: it is too long") }
    do {
      return try JSONValue(parsing: input.content, maximumDepth: MCPServer.maximumDepth)
    } catch {
      throw CommandFailure(.usage, "cannot read the hook event: \(error)")
    }
  }

  private func answer(_ event: HookEvent, of host: AgentHost, since begin: ContinuousClock.Instant) async throws {
    let decider = event.decider(asksInAutoMode: !escalationsOnly)
    var frontEnd = FrontEnd(socket: socket, patience: Self.patience)
    let app = app ?? host.app
    if event.name == .sessionStart {
      if let agent = AgentProcess.find() { AgentSession.note(event.call, agent: agent) }
    } else if !event.name.asks {
      await withdraw(orphansOf: event, app, frontEnd)
      if let result = event.result, let (id, act) = ApprovedCall.take(event.call) {
        // The presentation may have been pruned.
        try? await frontEnd.calling { [client = frontEnd.client] in try await client.report(ActReport(act: act, result), of: id)
        }
      }
    } else if decider == .person, event.name == .preToolUse, `defer`, event.call.id != nil, let deferral = host.deferral {
      await askDeferred(event, app, frontEnd, host, deferral)
    } else if decider != .host {
      let agent = AgentProcess.find()
      if let agent { AgentSession.note(event.call, agent: agent) }
      frontEnd.callers = agent.map { [$0] } ?? []
      let clock = HookLimit(host.clock, timeout: timeout?.duration, limit: limit?.duration, since: begin)
      let gate = ToolGate(
        frontEnd: frontEnd, app: app, timeout: clock.timeout, limit: clock.limit, agent: agent, hook: getpid(),
        mayChangeMode: event.name == .permissionRequest)
      if decider == .denyingRule {
        guard await gate.isDeniedByRule(event.call) else { return }
      }
      let decision = await clock.first {
        await gate.decide(event.call) { ApprovedCall.note($0, for: event.call) }
      } orAtTheEnd: {
        // Exiting withdraws the prompt.
        print(.expired, host, event.name, event.hostsName)
        Glibc.exit(0)
      }
      print(decision, host, event.name, event.hostsName)
    }
  }

  private func print(_ decision: ToolDecision, _ host: AgentHost, _ event: HookEvent.Name, _ hostsName: String) {
    if case .unavailable(let why, isOff: false) = decision { FrontEnd.warn("routerctl", why) }
    if let output = host.output(decision, for: event, hostsName) { StandardStream.output.line(output.description) }
  }

  /// Cancels the prompts that this event leaves without a waiting caller.
  private func withdraw(orphansOf event: HookEvent, _ app: String, _ frontEnd: FrontEnd) async {
    let client = frontEnd.client
    guard let open = try? await frontEnd.calling({ try await client.presentations(app: app) }) else { return }
    for presentation in open where presentation.requester.process.uid == getuid() && event.orphans(presentation) {
      guard presentation.request.agent == nil else {
        WaitingHook.end(for: presentation)
        continue
      }
      // The presentation may have ended in the meantime.
      _ = try? await frontEnd.calling { try await client.cancel(presentation.id) }
    }
  }

  /// Sends a detached request, or returns the answer of an earlier run: the same tool call has the same idempotency key.
  private func askDeferred(
    _ event: HookEvent, _ app: String, _ frontEnd: FrontEnd, _ host: AgentHost, _ deferral: JSONValue
  ) async {
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
        return StandardStream.output.line(deferral.description)
      }
      print(ToolGate.decision(FrontEndOutcome(presentation), question), host, event.name, event.hostsName)
    } catch {
      let why = CommandFailure(diagnosing: error)?.message ?? String(describing: error)
      print(.unavailable(why), host, event.name, event.hostsName)
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
