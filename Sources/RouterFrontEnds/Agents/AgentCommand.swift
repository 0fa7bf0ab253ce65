import ArgumentParser

/// `routerctl agent`: prompts of AI agents.
package struct AgentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Ask before AI agents run tools.",
    discussion: """
      Agents such as Claude Code and Codex call 'routerctl agent hook' instead of asking you themselves. The prompt shows exactly
      what would run. Without a daemon or a presenter, the agent asks as usual.

      EXAMPLES
        routerctl agent install claude
        routerctl agent install codex
        routerctl agent run -- claude
        routerctl agent doctor
      """,
    subcommands: [
      AgentInstall.self, AgentUninstall.self, AgentDoctor.self, AgentRun.self, AgentHook.self, AgentResume.self,
      ACPCommand.self,
      OpenCodeCommand.self,
    ])
}
