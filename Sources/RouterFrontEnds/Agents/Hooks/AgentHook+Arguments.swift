package import ArgumentParser
import Router
import RouterCommandLine

extension AgentHook: PlainArguments {
  /// Reads the options of an installed hook.
  mutating func read(_ line: inout PlainOptions) {
    app = line.value("--app")
    (timeout, limit, socket) = (line.value("--timeout"), line.value("--limit"), line.value("--socket"))
    escalationsOnly = line.flag("--escalations-only")
    (`defer`, resumeCommand, onDismiss) = (false, nil, nil)
  }
}

extension AgentCommand {
  /// The command of a line such as `routerctl agent hook --app codex`; `nil` for any other line.
  package static func hook(_ arguments: [String]) -> (any AsyncParsableCommand)? {
    arguments.dropFirst().starts(with: ["agent", "hook"]) ? AgentHook(arguments: arguments.dropFirst(3)) : nil
  }
}
