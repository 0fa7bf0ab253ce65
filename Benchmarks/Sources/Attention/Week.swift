import FoundationEssentials
import Router

@testable import RouterCore
@testable import RouterFrontEnds
@testable import RouterSystem

/// A tool call on its way to the daemon.
struct Call {
  let day: Int
  let at: Moment
  let kind: Kind
  let attack: Attack?
  let text: String
  /// The hook's request with the kernel's facts; `nil` if the agent's host allows the call itself.
  let ask: PresentationAsk?
  /// The good call that a planted one imitates.
  var model: PresentationAsk?
}

/// A week of five agents in three projects, with a reboot in the night before the fifth day.
///
/// An agent runs two to four times a day, each time as another process of the same program.
struct Week {
  static let agents = 5
  private static let program = "/home/ada/.local/bin/claude"
  private static let start = Timestamp(milliseconds: 1_780_272_000_000)
  /// When the machine booted: three days before, and on the fifth day at three o'clock.
  private static let boots = [
    ("boot-1", start.advanced(by: .seconds(-3 * 86_400))), ("boot-2", start.advanced(by: .seconds(4 * 86_400 + 10_800))),
  ]

  private struct Session {
    let day: Int
    let number: Int
    let project: Project
    let root: String
    let agent: ProcessIdentity.Ancestor
    /// The files and tests of its task.
    let files: [String]
    let tests: [String]
    let boot: (id: String, at: Timestamp)
  }

  private(set) var calls: [Call] = []
  /// The end of each agent's process.
  private(set) var ends: [Grant.Session: Timestamp] = [:]

  private var random: Random
  private let root: String
  private let options: Options
  private var last = 3000
  private let ids: PresentationIDGenerator
  private var attacks = 0
  private var latest: [ProcessIdentity.Ancestor] = []

  /// - Parameter root: The directory for the projects' files, which the hook reads.
  init(_ options: Options, in root: String) throws {
    (random, self.root, self.options) = (Random(seed: options.seed), root, options)
    ids = PresentationIDGenerator(random: { 0 })
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try Data("line 7.\n".utf8).write(to: URL(filePath: root + "/elsewhere.txt"))
    for project in Project.all {
      let text = (1...40).map { "line \($0).\n" }.joined()
      for file in project.sources + project.tests + project.steering {
        let url = URL(filePath: "\(root)/\(project.name)/\(file)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
      let place = "\(root)/\(project.name)"
      try FileManager.default.createSymbolicLink(atPath: place + "/link.txt", withDestinationPath: "../elsewhere.txt")
      try FileManager.default.linkItem(atPath: root + "/elsewhere.txt", toPath: place + "/twin.txt")
    }
    for day in 0..<7 {
      for agent in 0..<Self.agents {
        var seconds = 9 * 3600 + random.below(1800)
        for _ in 0..<(2 + random.below(3)) {
          seconds = try work(agent, day, from: seconds)
          seconds += 600 + random.below(3600)
        }
      }
    }
    calls.sort { ($0.at.wall, $0.text) < ($1.at.wall, $1.text) }
  }

  /// Adds the calls of one session. Returns when it ends, in seconds since midnight.
  private mutating func work(_ agent: Int, _ day: Int, from begin: Int) throws -> Int {
    let boot = Self.boots[day < 4 ? 0 : 1]
    let project = Project.all[agent % 3]
    func time(_ seconds: Int) -> Timestamp { Self.start.advanced(by: .seconds(day * 86_400 + seconds)) }
    func ticks(_ seconds: Int) -> Int { Int(time(seconds).duration(since: boot.1).components.seconds) * 100 }
    last += 40
    var process = ProcessIdentity.Ancestor(pid: Int32(last), started: ticks(begin), executable: program(on: day))
    if options.script { process.script = "/usr/lib/node_modules/claude/cli.js" }
    var session = (0..<3).map { _ in random.often(project.sources) }
    session.append(random.pick(project.sources))
    let own = Session(
      day: day, number: agent, project: project, root: "\(root)/\(project.name)", agent: process, files: session,
      tests: (0..<2).map { _ in random.often(project.tests) }, boot: boot)
    var seconds = begin
    for _ in 0..<(70 + random.below(80)) {
      // The model thinks, and a person reads along.
      seconds += 8 + random.below(random.chance(15) ? 240 : 50)
      if random.below(1000) < 11 {
        let attack = Attack.allCases[attacks % Attack.allCases.count]
        attacks += 1
        let kind: Kind = attack.takesEdits && random.chance(30) ? .edit : random.pick([.test, .build, .query])
        let usual = input(kind, own, repeats: true)
        let bad = attack.input(usual, in: own.root, &random)
        try add(own, kind, bad, attack, at: time(seconds), ticks(seconds))
        if attack.imitates { calls[calls.count - 1].model = try ask(own, usual, nil, at: time(seconds), ticks(seconds)) }
      } else {
        let kind = random.kind()
        try add(own, kind, input(kind, own), nil, at: time(seconds), ticks(seconds))
      }
    }
    ends[Grant.Session(pid: process.pid, started: process.started, boot: boot.0)] = time(seconds)
    latest.append(process)
    return seconds
  }

  /// Returns the agent's executable. An installation with a folder for each version changes it with each update.
  private func program(on day: Int) -> String {
    if options.script { return "/usr/bin/node" }
    return options.updates ? "/home/ada/.local/share/claude/versions/2.1.\(day / 2)" : Self.program
  }

  // MARK: Good calls

  /// - Parameter repeats: Whether the call is one that the session makes again and again.
  private mutating func input(_ kind: Kind, _ session: Session, repeats: Bool = false) -> Input {
    switch kind {
    case .edit:
      let file = random.chance(70) ? random.pick(session.files) : random.often(session.project.sources + session.project.tests)
      let line = 1 + random.below(40)
      return Input(
        tool: "Edit",
        members: [
          ("file_path", .string("\(session.root)/\(file)")), ("old_string", .string("line \(line).\n")),
          ("new_string", .string("line \(line), changed for the \(number())th time.\n")),
        ], directory: session.root)
    case .steering: return Attack.edit("\(session.root)/\(random.pick(session.project.steering))", in: session.root)
    case .write:
      let file = random.pick(session.files).replacing(".", with: "-\(number()).")
      return Input(
        tool: "Write", members: [("file_path", .string("\(session.root)/\(file)")), ("content", "line 1.\nline 2.\n")],
        directory: session.root)
    case .read:
      return Input(
        tool: "Read", members: [("file_path", .string("\(session.root)/\(random.pick(session.files))"))],
        directory: session.root)
    case .fetch:
      if random.chance(30) {
        return Input(tool: "Read", members: [("file_path", "/usr/share/doc/x/README")], directory: session.root)
      }
      return Input(
        tool: "WebFetch",
        members: [("url", .string("https://docs.example/page-\(random.below(40))")), ("prompt", "Summarize the page.")],
        directory: session.root)
    default:
      let templates = session.project.commands[kind]!
      let text = fill(random.often(repeats ? templates.filter { !$0.contains("{n}") } : templates), session)
      // Some commands run in a part of the project.
      let directory = !repeats && random.chance(5) ? "\(session.root)/\(session.project.part)" : session.root
      var input = Input.command(text, in: directory)
      // The description is worded differently each time.
      input.members.append(("description", .string("Run case \(number())")))
      if text == "npm run dev" { input.members.append(("run_in_background", true)) }
      return input
    }
  }

  private mutating func number() -> Int {
    last += 1
    return last
  }

  private mutating func fill(_ template: String, _ session: Session) -> String {
    let words = ["7", "12", "31", "cart", "order", "stock", "parse"]
    return template.replacing("{n}", with: "\(number())").replacing("{few}", with: random.often(words))
      .replacing("{file}", with: random.pick(session.files)).replacing("{test}", with: random.pick(session.tests))
      .replacing("{day}", with: "\(session.day + 1)")
  }

  // MARK: The hook and the kernel

  private mutating func add(
    _ session: Session, _ kind: Kind, _ input: Input, _ attack: Attack?, at wall: Timestamp, _ ticks: Int
  ) throws {
    let isSettled = attack == nil && kind.isSettledByHost(everyCommand: options.everyCommand)
    calls.append(
      Call(
        day: session.day, at: moment(session, wall), kind: kind, attack: attack, text: "\(input.tool) \(input.target)",
        ask: isSettled ? nil : try ask(session, input, attack, at: wall, ticks)))
  }

  private func moment(_ session: Session, _ wall: Timestamp) -> Moment {
    Moment(boot: wall.duration(since: session.boot.at), wall: wall)
  }

  /// Returns a call's request as the hook sends it, before the agent runs the tool, with the kernel's facts.
  private mutating func ask(
    _ session: Session, _ input: Input, _ attack: Attack?, at wall: Timestamp, _ ticks: Int
  ) throws -> PresentationAsk {
    let (uid, agent) = asker(session, attack)
    let hook = Int32(number())
    let event = try HookEvent(
      [
        "hook_event_name": "PermissionRequest", "permission_mode": "default", "tool_name": .string(input.tool),
        "tool_input": .members(input.members), "cwd": .string(input.directory),
        "session_id": .string("session-\(session.agent.pid)"),
      ], of: .claude)!
    precondition(event.decider(asksInAutoMode: true) == .person)
    let gate = ToolGate(
      frontEnd: FrontEnd(socket: "\(root)/socket"), app: AgentHost.claude.app, timeout: AgentHook.defaultTimeout,
      agent: agent.pid, hook: hook, mayChangeMode: true)
    let request = gate.request(for: event.call, event.call.question(mayChangeMode: true))
    var shell = ProcessIdentity.Ancestor(pid: hook - 1, started: ticks, executable: "/usr/bin/dash")
    shell.runsCommand = true
    let ancestry: [ProcessIdentity.Ancestor] = [
      .init(pid: hook, started: ticks, executable: "/usr/bin/routerctl"), shell, agent,
      .init(pid: Int32(2000 + session.number), started: 900, executable: "/usr/bin/bash"),
      .init(pid: 1500, started: 800, executable: "/usr/bin/tmux"), .init(pid: 1, started: 1, command: "systemd", uid: 0),
    ]
    let process = ProcessIdentity(
      uid: uid, gid: uid, pid: hook, executable: "/usr/bin/routerctl", directory: input.directory, ancestry: ancestry)
    // The daemon reads the request from the socket.
    var ask = PresentationAsk(
      id: ids.next(at: wall), valid: try ValidRequest(json: request.json),
      requester: Presentation.Requester(app: AgentHost.claude.app, process: process))
    ask.boot = session.boot.id
    return ask
  }

  /// Returns the user and the agent's process: for some attacks another one.
  private mutating func asker(_ session: Session, _ attack: Attack?) -> (uid: UInt32, agent: ProcessIdentity.Ancestor) {
    var agent = session.agent
    switch attack {
    case .otherUser: return (1001, agent)
    case .otherProgram:
      (agent.pid, agent.started) = (Int32(number()), agent.started + 1)
      switch random.below(4) {
      case 0 where options.script: agent.script = "/home/ada/\(session.project.name)/node_modules/x/claude.js"
      case 0: agent.executable = "/home/ada/\(session.project.name)/node_modules/x/claude"
      case 1: agent.executableDoubt = .otherNamespace
      case 2: agent.executableDoubt = .deleted
      default: (agent.executable, agent.command) = (nil, "claude")
      }
    case .forgedSession:
      // Its id is that of this session, and its process id that of this or an ended one.
      if random.chance(50), let ended = latest.last { agent.pid = ended.pid }
      (agent.started, agent.executable) = (agent.started + 100, "/tmp/x/claude")
    default: break
    }
    return (1000, agent)
  }
}
