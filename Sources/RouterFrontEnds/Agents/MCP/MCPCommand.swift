import ArgumentParser
import Glibc
import Router
import RouterCommandLine

/// `routerctl mcp`: an MCP server on standard input and output.
package struct MCPCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Serve prompts to AI agents as an MCP server on standard input and output.",
    discussion: """
      The tools confirm, choose and form let any agent ask you questions. The tool secret saves what you type to a file, of which the
      agent gets the path. The tool approve replaces Claude Code's own
      permission dialog.

      EXAMPLES
        routerctl mcp
        routerctl mcp --timeout 1h
        claude mcp add router -- routerctl mcp
        claude -p --permission-prompt-tool mcp__router__approve 'Tidy up this directory'
      """)

  @Option(help: ArgumentHelp("Expire a prompt after this time.", valueName: "time"))
  var timeout = DurationArgument(duration: .seconds(600))

  @Option(help: ArgumentHelp("The daemon's socket (default: $ROUTERD_SOCKET).", valueName: "path"))
  var socket: String?

  func run() async throws {
    // A disconnected client shows up as the end of standard input.
    signal(SIGPIPE, SIG_IGN)
    let agent = AgentProcess.find()
    var frontEnd = FrontEnd(socket: socket, patience: AgentHook.patience)
    frontEnd.callers = agent.map { [$0] } ?? []
    let output = Mutex(StandardStream.output)
    let tools = MCPTools(frontEnd: frontEnd, timeout: timeout.duration, agent: agent)
    let server = MCPServer {
      await tools.call($0, $1, app: $2, page: $3)
    } write: { message in
      output.withLock { $0.line(message.description) }
    }
    await server.run(try StandardInput.lines())
  }
}
