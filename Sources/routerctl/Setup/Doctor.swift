import ArgumentParser
import Router
import RouterClient
import RouterCommandLine
import RouterFrontEnds

/// `routerctl doctor`.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check that Router works, and print a fix for each problem.",
    discussion: """
      Checks the socket, the daemon and its version, permissions, rules, presenters, the disk, the clock, the log and the page. If \
      `log anchor` has run, also that its last anchor (the database's path and '.anchored') is not older than a day. Prints a line \
      for each, with a fix for each problem. If you use 'routerctl ssh-agent', also that it lists your keys. Exits with 8 on \
      problems. For AI agents, see 'routerctl agent doctor'.

      With --attack, it instead tries the escapes of the threat model, as an agent or another program that you start could. It \
      answers a prompt that it has made on a surface that nobody watches, opens files without reading or changing them, and connects \
      to sockets without sending anything. Each problem is an escape that succeeded. Nobody is asked, and the log has the attempts. \
      Exits with 8 if one succeeded, otherwise with 0. In the sandbox of 'routerctl agent run', none should.

      EXAMPLES
        routerctl doctor
        routerctl doctor --socket /run/routerd/routerd.sock
        routerctl doctor --attack
        routerctl agent run --agent claude -- routerctl doctor --attack
      """)

  @Option(help: "Surface that must have a presenter.")
  var surface = "main"

  @Flag(help: "Try the escapes of the threat model, and print which succeed.")
  var attack = false

  @Option(help: ArgumentHelp("The daemon's socket (default: see 'routerctl socket').", valueName: "path"))
  var socket: String?

  func run() async throws {
    if attack { return try await attackDaemon() }
    var check = DaemonCheck(
      client: RouterClient(socketPath: socket ?? RouterClient.defaultSocketPath(), reconnect: .never), surface: surface)
    var findings = await check.findings()
    let isOwn = check.database == nil && socket == nil
    if let database = check.database ?? (isOwn ? DefaultPaths.current.databaseToUse : nil) {
      findings += await LogCheck(database: database).findings()
    }
    findings += SSHAgentCheck().findings()
    try findings.report()
  }

  private func attackDaemon() async throws {
    let client = RouterClient(socketPath: socket ?? RouterClient.defaultSocketPath(), reconnect: .never)
    let database = try? await client.status().database
    try await AttackReport.findings(client, database: database ?? DefaultPaths.current.databaseToUse).report()
  }
}
