package import RouterCore

extension RequesterName {
  /// The name in at most that many columns. The app is cut first: the rest tells sessions apart.
  package func text(to columns: Int) -> String {
    let parts = parts.map { $0.escapedForTerminal() }
    let rest = parts.dropFirst().map { " · " + $0 }.joined()
    return (parts[0].cut(to: max(2, columns - rest.columns)) + rest).cut(to: columns)
  }
}

extension OutputStyle.Face {
  /// The color of an agent's session, in the order of the page's; `nil` without a session.
  package static func session(_ id: String?) -> Self? {
    let faces: [Self] = [.green, .bold, .blue, .magenta, .cyan, .red]
    return id.map { faces[AgentLabel.color(ofSession: $0)] }
  }
}

extension Presentation {
  /// The color of the agent's session.
  package var sessionFace: OutputStyle.Face? { .session(session) }
}
