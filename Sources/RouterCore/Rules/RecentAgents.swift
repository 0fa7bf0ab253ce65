/// The agents with a request in the last day. Neither they nor their descendants may answer the daemon's own prompts, which an
/// agent can cause by changing a file, or switch Router off.
package struct RecentAgents: Sendable {
  package static let time = Duration.seconds(86_400)
  /// The maximum number of agents: the newest.
  package static let limit = 2048

  private struct Agent: Hashable {
    let pid: Int32
    let started: Int
  }

  private var seen: [Agent: Duration] = [:]

  package init() {}

  /// Records the agent of a request at a time.
  package mutating func note(_ requester: Presentation.Requester, agent: Int32?, at time: Duration) {
    guard let agent = agent.flatMap(requester.process.ancestor) else { return }
    seen[Agent(pid: agent.pid, started: agent.started)] = time
    guard seen.count > Self.limit else { return }
    let newest = seen.sorted { $0.value > $1.value }.prefix(Self.limit / 2)
    seen = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
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
