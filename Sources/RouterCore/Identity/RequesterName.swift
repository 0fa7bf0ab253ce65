import OrderedCollections

/// The metadata keys with which an agent identifies itself.
package enum AgentLabel {
  /// The id of the agent's session.
  package static let session = "agent.session"
  /// The directory in which the agent works.
  package static let directory = "agent.directory"

  /// The number of a session's color, 0 to 5: the FNV-1a hash of its id, modulo six.
  package static func color(ofSession id: String) -> Int {
    Int(id.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 } % 6)
  }
}

/// A requester in a line, such as `claude-code · shop · 7f3a`. It is the same in all lists and prompts.
package struct RequesterName: Sendable, Hashable {
  package let app: String
  /// The last part of an agent's directory.
  package let place: String?
  /// The end of the session's id, to distinguish sessions in one directory. Ids that begin with a time differ only at the end.
  package let session: String?

  package init(_ requester: Presentation.Requester, _ request: PresentationRequest) {
    app = requester.app
    let id = request.metadata[AgentLabel.session]
    let isAgent = id != nil || request.metadata[AgentLabel.directory] != nil
    let name = isAgent ? requester.directory(of: request)?.fileName ?? "" : ""
    place = name.isEmpty ? nil : name
    session = id.map { String($0.suffix(4)) }
  }

  package init(_ presentation: Presentation) { self.init(presentation.requester, presentation.request) }

  package var parts: [String] { [app, place, session].compactMap(\.self) }

  package var text: String { parts.joined(separator: " · ") }
}

extension Presentation.Requester {
  fileprivate func directory(of request: PresentationRequest) -> String? {
    request.metadata[AgentLabel.directory] ?? process.directory
  }
}

extension Presentation {
  /// The id of the agent's session.
  package var session: String? { request.metadata[AgentLabel.session] }

  /// The requester's directory: an agent's own claim, otherwise the working directory of the process.
  package var directory: String? { requester.directory(of: request) }

  /// The number of the agent session's color; `nil` without a session.
  package var sessionColor: Int? { session.map(AgentLabel.color) }
}
