import Glibc
import Router
import RouterClient

/// An escape that the threat model describes, which `routerctl doctor --attack` tries. To add one, add a value to ``all``.
struct Attack: Sendable {
  /// What the attempt showed.
  enum Result: Sendable, Hashable {
    /// The attempt succeeded: the text says what it reached.
    case succeeded(String)
    /// The attempt failed: the text has the reason.
    case failed(String)
    /// There is nothing to try it on.
    case untried(String)
  }

  /// The attackers of `Docs/ThreatModel.md`, one for each row.
  enum Attacker: String, Sendable {
    case program = "a program of the same user"
    case agent = "an agent"
    case detached = "a child of an agent that detached"
  }

  /// What an attacker would do, as an infinitive.
  let name: String
  let attacker: Attacker
  /// What makes it fail.
  let remedy: String
  let attempt: @Sendable (AttackScene) async -> Result

  private static let run = "start the agent with 'routerctl agent run'"
  private static let system = run + "; for other programs, use the system's daemon"
  private static let otherUser = run + "; for other programs, answer as another user, with forbidSelfAnswer: user"

  static let all: [Attack] = [
    Attack(name: "answer its own prompt", attacker: .agent, remedy: run) { await $0.answer(isAgents: true, by: .child) },
    Attack(name: "answer its own prompt from a detached child", attacker: .detached, remedy: run) {
      await $0.answer(isAgents: true, by: .detached)
    },
    Attack(name: "answer another program's prompt", attacker: .agent, remedy: otherUser) {
      await $0.answer(isAgents: false, by: .child)
    },
    Attack(name: "attach a presenter", attacker: .agent, remedy: run) { await $0.present() },
    Attack(name: "pause a session", attacker: .agent, remedy: run) { await $0.pause() },
    Attack(name: "list open prompts", attacker: .agent, remedy: run) { scene in
      await scene.call { String(counting: try await scene.client.presentations().count, "prompt") }
    },
    Attack(name: "read the log through the daemon", attacker: .agent, remedy: run) { scene in
      await scene.call { String(counting: try await scene.client.logPresentationPage().page.count, "prompt") }
    },
    Attack(name: "list remembered answers", attacker: .agent, remedy: run) { scene in
      await scene.call { String(counting: try await scene.client.grants().count, "answer") }
    },
    Attack(name: "create a link to the page", attacker: .agent, remedy: run) { scene in
      await scene.call { try await scene.client.webLink().url.cut(toBytes: 30) }
    },
    Attack(name: "read the log's file", attacker: .program, remedy: system) { $0.open([$0.database], O_RDONLY) },
    Attack(name: "change the log's file", attacker: .program, remedy: system) { $0.open([$0.database], O_WRONLY) },
    Attack(name: "read the page's key", attacker: .program, remedy: system) { $0.open([$0.database + ".web-key"], O_RDONLY) },
    Attack(name: "read the log's file through another process", attacker: .program, remedy: system) {
      $0.openThroughProcesses()
    },
    Attack(name: "change the daemon's settings or rules", attacker: .program, remedy: system) {
      $0.open($0.settings, O_WRONLY)
    },
    Attack(name: "remove the hook from its settings", attacker: .agent, remedy: run) { $0.open($0.hooks, O_WRONLY) },
    Attack(name: "read the daemon's memory", attacker: .program, remedy: system) { $0.openMemory() },
    Attack(name: "end the daemon", attacker: .program, remedy: system) { $0.signalDaemon() },
    Attack(name: "start a program outside", attacker: .detached, remedy: run) { $0.connect(to: $0.managers) },
    Attack(name: "use the ssh agent", attacker: .agent, remedy: run) { $0.connect(to: $0.sshAgents) },
    Attack(name: "connect to a socket that is not in the file system", attacker: .agent, remedy: run) { $0.connectAbstract() },
    Attack(name: "type into the terminal", attacker: .agent, remedy: run) { $0.typeIntoTerminal() },
  ]
}
