import ArgumentParser
import Router
import RouterCommandLine
import RouterFrontEnds

/// The command line tool for requesters, presenters and auditors.
struct Routerctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routerctl",
    abstract: "Show prompts to the person at this machine, and answer them.",
    discussion: """
      EXAMPLES
        routerctl demo        # try everything in one terminal
        routerctl present     # answer prompts in this terminal
        routerctl queue       # list open prompts
        routerctl confirm 'Delete 3 files?' && rm a b c
        routerctl alert 'Deploy?' --destructive deploy=Deploy --cancel 'Not now'

      EXIT STATUS
        0   answered (confirm: yes), or done
        1   answered with the cancel button (confirm: no)
        2   cancelled
        3   dismissed
        5   expired
        6   the presenter failed to show it
        7   refused in the current state: no such prompt, ended, queue full, log not writable
        8   a check found a fault: doctor, agent doctor, log verify, rules test
        64  usage
        69  no daemon
        70  the system or routerctl failed
        75  throttled; try again later
        77  not allowed
        129, 130, 131 or 143 by SIGHUP, SIGINT, SIGQUIT or SIGTERM; the prompt is withdrawn. After Ctrl-C, present and top
            exit with 0

      DOCUMENTATION
        man routerctl-confirm, and likewise for each command
        /usr/share/doc/router (of the .tar.gz: /usr/local/share/doc/router)
      """,
    version: routerVersion,
    subcommands: [],
    groupedSubcommands: [
      CommandGroup(name: "Asking", subcommands: [Alert.self, Confirm.self, Choose.self, Sheet.self, Run.self]),
      CommandGroup(
        name: "Answering",
        subcommands: [Present.self, Web.self, Answer.self, Dismiss.self, Snooze.self, Raise.self, Pause.self, Resume.self]),
      CommandGroup(
        name: "Managing open prompts",
        subcommands: [Top.self, Queue.self, Wait.self, Cancel.self, Status.self, Off.self, On.self, Socket.self]),
      CommandGroup(name: "Remembered answers and rules", subcommands: [Grants.self, Rules.self]),
      CommandGroup(name: "Audit log", subcommands: [LogCommand.self]),
      CommandGroup(name: "AI agents", subcommands: [AgentCommand.self, MCPCommand.self]),
      CommandGroup(
        name: "Front ends",
        // Converting the array itself would cast each element dynamically, which is slow at every start.
        subcommands: FrontEnds.all.map { $0 } + [
          AskPasswordAgent.self, SSHAgentCommand.self, PamConfirm.self, FrontEndsCommand.self,
        ]),
      CommandGroup(name: "Trying and installing Router", subcommands: [Demo.self, Setup.self, Doctor.self]),
    ])
}
