import OrderedCollections

/// The metadata keys by which an agent identifies itself.
package enum AgentLabel {
  /// The id of the agent's session.
  package static let session = "agent.session"
  /// The directory in which the agent works.
  package static let directory = "agent.directory"
}

/// A requester in a list, such as `claude-code · shop`.
package struct RequesterName: Sendable, Hashable {
  package let app: String
  /// The last part of an agent's directory.
  package let place: String?
  /// Part of the session's id, if the list has another session of the same name.
  package var session: String?

  package init(_ requester: Presentation.Requester, _ request: PresentationRequest) {
    app = requester.app
    let isAgent = request.metadata[AgentLabel.session] != nil || request.metadata[AgentLabel.directory] != nil
    let name = isAgent ? requester.directory(of: request)?.fileName ?? "" : ""
    place = name.isEmpty ? nil : name
  }

  package init(_ presentation: Presentation) { self.init(presentation.requester, presentation.request) }

  package var parts: [String] { [app, place, session].compactMap(\.self) }
}

/// Names the requesters of a list, so that two sessions of an agent can be told apart.
package struct RequesterNames: Sendable {
  private var sessions: [RequesterName: Set<String>] = [:]

  package init(_ listed: [Presentation] = []) { add(listed) }

  package mutating func add(_ listed: [Presentation]) {
    for presentation in listed {
      if let session = presentation.session { sessions[RequesterName(presentation), default: []].insert(session) }
    }
  }

  package subscript(presentation: Presentation) -> RequesterName {
    var name = RequesterName(presentation)
    guard let session = presentation.session, let all = sessions[name], all.count > 1 else { return name }
    // Ids that begin with a time differ only at the end.
    let isDistinct = Set(all.map { $0.prefix(4) }).count == all.count
    name.session = String(isDistinct ? session.prefix(4) : session.suffix(4))
    return name
  }
}

extension Presentation.Requester {
  fileprivate func directory(of request: PresentationRequest) -> String? {
    request.metadata[AgentLabel.directory] ?? process.directory
  }
}

extension Presentation {
  /// The id of the agent's session.
  package var session: String? { request.metadata[AgentLabel.session] }

  /// The directory in which the requester works: an agent's as it says, else that of the process.
  package var directory: String? { requester.directory(of: request) }

  /// A number below six that all lists turn into the session's color: its FNV-1a hash.
  package var sessionColor: Int? {
    session.map { Int($0.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 } % 6) }
  }
}
