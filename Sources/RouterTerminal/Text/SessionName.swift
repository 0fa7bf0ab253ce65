package import RouterCore

extension RequesterName {
  /// The name in at most `columns` columns. Truncates the app first, since the rest distinguishes sessions.
  package func text(to columns: Int) -> String {
    let parts = parts.map { $0.escapedForTerminal() }
    let rest = parts.dropFirst().map { " · " + $0 }.joined()
    return (parts[0].cut(to: max(2, columns - rest.columns)) + rest).cut(to: columns)
  }
}

extension OutputStyle.Face {
  /// The color of an agent's session, in the same order as on the page; `nil` without a session.
  package static func session(_ id: String?) -> Self? {
    let faces: [Self] = [.green, .bold, .blue, .magenta, .cyan, .red]
    return id.map { faces[AgentLabel.color(ofSession: $0)] }
  }
}

extension Presentation {
  /// The color of the agent's session.
  package var sessionFace: OutputStyle.Face? { .session(session) }
}
