/// The agents with a request in the last 15 minutes. Neither they nor their descendants may answer the daemon's own prompts,
/// which an agent can cause by changing a file.
package struct RecentAgents: Sendable {
  package static let time = Duration.seconds(900)

  private struct Agent: Hashable {
    let pid: Int32
    let started: Int
  }

  private var seen: [Agent: Duration] = [:]

  package init() {}

  /// Records the agent of a request at a time.
  package mutating func note(_ requester: Presentation.Requester, agent: Int32?, at time: Duration) {
    guard let agent = agent.flatMap(requester.process.ancestor) else { return }
    if seen.count >= 64 { seen = seen.filter { time - $0.value < Self.time } }
    seen[Agent(pid: agent.pid, started: agent.started)] = time
  }

  /// Whether a process is a recent agent, or may descend from one.
  ///
  /// - Parameter own: The daemon. Its ancestors are a service manager or a login, from which people's processes also descend.
  package func mayInclude(_ process: ProcessIdentity, besides own: ProcessIdentity, at now: Duration) -> Bool {
    seen.contains { agent, time in
      let agent = ProcessIdentity.Ancestor(pid: agent.pid, started: agent.started)
      let isAbove = (own.ancestry ?? []).contains { $0.pid == agent.pid && $0.started == agent.started }
      return now - time < Self.time && !isAbove && process.mayDescend(from: agent)
    }
  }
}
