import OrderedCollections
import Router

extension ToolCall {
  /// The members of a command's input that do not change its effect.
  private static let harmless: Set = ["command", "description", "timeout"]

  /// Returns the call's exact act; `nil` if it is too large for an act.
  ///
  /// Excludes the agent's description, which is worded differently each time.
  func act(_ change: FileChange?) -> (act: Act, matches: [PresentationRequest.Remember.Match])? {
    let place = directory.flatMap { directory in
      Act(tool, directory: directory).isValid ? directory : nil
    }
    let found: (act: Act, matches: [PresentationRequest.Remember.Match])
    if let change {
      // The path without the change does not determine the effect, so only the directory can be allowed.
      let path = change.path
      guard let file = path.pathDoubts.isEmpty ? ToolPath.resolve(ToolPath(path, in: directory).file) : path else {
        return nil
      }
      var act = Act(tool, object: file, directory: place)
      act.environment[Act.hardLinks] = ToolPath.links(of: file).map { String($0) }
      found = (act, [.under])
    } else if !tool.begins(with: "mcp__"), let command = input["command"]?.string {
      let words = isPatch ? nil : PlainWords.of(command)
      var act = Act(tool, object: command, arguments: words, directory: place)
      // Other members of the input may change the call's effect, so they belong to the act.
      for (name, value) in input.object ?? [:] where !Self.harmless.contains(name) {
        act.environment[name] = value.string ?? value.description
      }
      guard act.environment.values.reduce(0, { $0 + $1.utf8.count }) <= 4096 else { return nil }
      found = (act, [.exact, .prefix])
    } else {
      // The prompt shows other tools' input in lines, which an act would repeat.
      return nil
    }
    return found.act.isValid ? found : nil
  }
}
