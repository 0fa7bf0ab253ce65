package import ArgumentParser
import Router
import RouterCommandLine

extension AgentHook {
  /// Reads the options of an installed hook without ArgumentParser, whose start takes longer than the rest of the hook.
  ///
  /// - Returns: `nil` if there is any other option or an invalid value, for ArgumentParser to read or to explain.
  init?(arguments: some Sequence<String>) {
    self.init()
    (app, timeout, limit, escalationsOnly) = (AgentHost.claude.app, nil, nil, false)
    (`defer`, resumeCommand, onDismiss, socket) = (false, nil, nil, nil)
    var left = Array(arguments)[...]
    while let option = left.popFirst() {
      if option == "--escalations-only" {
        escalationsOnly = true
        continue
      }
      guard let value = left.popFirst(), !value.begins(with: "-") else { return nil }
      let time = DurationArgument(argument: value)
      switch option {
      case "--app": app = value
      case "--socket": socket = value
      case "--timeout" where time != nil: timeout = time
      case "--limit" where time != nil: limit = time
      default: return nil
      }
    }
  }
}

extension AgentCommand {
  /// The command of a line such as `routerctl agent hook --app codex`; `nil` for any other line.
  package static func hook(_ arguments: [String]) -> (any AsyncParsableCommand)? {
    arguments.dropFirst().starts(with: ["agent", "hook"]) ? AgentHook(arguments: arguments.dropFirst(3)) : nil
  }
}
