extension Presentation {
  /// What decided a presentation that no person looked at.
  public enum Authority: Sendable, Hashable {
    /// A remembered answer, with the id of the grant.
    case grant(PresentationID)
  }
}

extension Presentation.Authority: LosslessStringConvertible {
  /// Parses `grant:ID`, as the log's column `settled_by` has it.
  public init?(_ description: String) {
    guard description.hasPrefix("grant:"), let id = PresentationID(String(description.dropFirst(6))) else { return nil }
    self = .grant(id)
  }

  public var description: String {
    switch self {
    case .grant(let id): "grant:\(id)"
    }
  }
}

extension Presentation.Authority: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    switch self {
    case .grant(let id): writer.add("grant", id.description)
    }
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    self = .grant(try reader.presentationID("grant"))
    try reader.finish()
  }
}
