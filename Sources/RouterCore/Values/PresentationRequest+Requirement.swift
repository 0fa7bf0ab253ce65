extension PresentationRequest {
  /// The approvals that an answer needs before it counts. The requester does not count, and each approver is a user of a host.
  /// A single "no" ends the request.
  package struct Requirement: Sendable, Hashable {
    /// The number of people, 2 to 16.
    package var answers: Int
    /// The button that needs approvals; `nil` for every button except those with the role cancel. Other answers count
    /// immediately.
    package var button: String?
    /// The lists of approvers (`approvers` in the daemon's settings). Each approver must be on all of them.
    package var lists: [String]
    /// The minimum number of different hosts.
    package var hosts: Int

    package init(_ answers: Int = 2, button: String? = nil, from lists: [String] = [], hosts: Int = 1) {
      (self.answers, self.button, self.lists, self.hosts) = (answers, button, lists, hosts)
    }

    /// The timeout for a request that sets none.
    static let defaultTimeout = Duration.seconds(3600)

    /// Whether an answer needs approvals.
    func concerns(_ answer: PresentationAnswer, to request: PresentationRequest) -> Bool {
      guard case .button(let id) = answer else { return false }
      return button.map { $0.isSame(as: id) } ?? request.buttons.contains { $0.id == id && $0.role != .cancel }
    }

    /// Returns the stricter of two requirements in every respect.
    func raised(by other: Requirement) -> Requirement {
      Requirement(
        max(answers, other.answers), button: other.button == button ? button : nil,
        from: lists + other.lists.filter { !lists.contains($0) }, hosts: max(hosts, other.hosts))
    }

    /// The required people: `2 people of ops from 2 hosts`.
    package var people: String {
      let lists = lists.isEmpty ? "" : " of \(lists.joined(separator: " and "))"
      return "\(answers) people\(lists)\(hosts > 1 ? " from \(hosts) hosts" : "")"
    }

    /// Whether the approvals suffice.
    func isMet(by approvals: [Presentation.Approval]) -> Bool {
      Set(approvals.map(\.by.process.owner)).count >= answers && Set(approvals.map(\.by.process.host)).count >= hosts
    }
  }
}

extension PresentationRequest.Requirement: Record {
  package static var about: String {
    "How many people must give an answer before it counts, for an alert or a confirmation dialog that is not sensitive. The requesting user and the users of its ancestors do not count; a person is a user of a host. Any other answer, such as a no, counts at once. Without a timeout, the request expires after 3600 seconds."
  }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    answers = try f(
      "answers", ifAbsent: 2, \.answers, "The number of people.", ["type": "integer", "minimum": 2, "maximum": 16])
    button = try f(
      "button", \.button, "The button that they must press (default: every button without the role cancel).", .schema("Name"))
    lists = try f(
      "from", default: Lists(), { Lists($0.lists) },
      "A list of the setting approvers, of which each must be a member; or several lists.",
      ["anyOf": [.schema("Name"), ["type": "array", "maxItems": 8, "items": .schema("Name")]]]
    ).names
    hosts = try f(
      "hosts", default: 1, \.hosts,
      "The minimum number of different hosts. A user of a host counts as a person: somebody with accounts on two hosts counts as two people, and can approve their own request from the other account, unless the setting shared.people names the accounts.",
      ["type": "integer", "minimum": 1, "maximum": 16])
    let (answers, lists, hosts) = (answers, lists, hosts)
    try f.check((2...16).contains(answers), "must be 2 to 16", at: "answers")
    try f.check((1...max(1, answers)).contains(hosts), "must be 1 to \(answers)", at: "hosts")
    try f.check(lists.count <= 8, "must have at most 8 names", at: "from")
  }

  /// One name, or several.
  private struct Lists: JSONPart, Equatable {
    var names: [String] = []

    init(_ names: [String] = []) { self.names = names }

    init(json: JSONValue, at pointer: String) throws(JSONError) {
      for (index, value) in (json.array ?? [json]).enumerated() {
        guard let name = value.string else { throw JSONError("must be a name", at: pointer) }
        try TextRule.checkName(name, at: pointer + (json.array == nil ? "" : "/\(index)"))
        names.append(name)
      }
    }

    func write(to writer: inout JSONWriter) {
      if names.count == 1 { writer.add(part: names[0]) } else { names.write(to: &writer) }
    }
  }

  /// Checks the requirement against the rest of the request.
  func check(with request: PresentationRequest, at pointer: String) throws(JSONError) {
    if !request.kind.hasButtons { throw JSONError("is not supported for kind \(request.kind.rawValue)", at: pointer) }
    for (isThere, name) in [
      (request.options.sensitive, "sensitive"), (request.options.over != nil, "over"), (request.remember != nil, "remember"),
    ] where isThere {
      throw JSONError("is not supported with \(name)", at: pointer)
    }
    guard request.buttons.contains(where: { $0.role != .cancel }) else {
      throw JSONError("needs a button without the role cancel", at: pointer)
    }
    if let button, !request.buttons.contains(where: { $0.id.isSame(as: button) && $0.role != .cancel }) {
      throw JSONError("is not the id of a button without the role cancel", at: pointer + "/button")
    }
  }
}

extension Presentation {
  /// Returns the number of approvals still missing after this answer; `nil` if it counts immediately.
  package func peopleMissing(after answer: PresentationAnswer) -> Int? {
    guard let require = request.require, require.concerns(answer, to: request), case .button(let id) = answer else {
      return nil
    }
    return max(0, require.answers - approvals.count { $0.button == id } - 1)
  }

  /// The number of approvals so far and required: `1/2`; `nil` if one answer is enough.
  package var progressOfApproval: String? { request.require.map { "\(approvals.count)/\($0.answers)" } }

  /// Decodes an object with the member `approvals`.
  package static func approvals(json: JSONValue) throws(JSONError) -> [Approval] {
    var reader = try JSONObjectReader(json)
    return try reader("approvals") ?? []
  }

  /// One person's approval of a request that needs several.
  package struct Approval: Sendable, Hashable {
    package let by: Responder
    package let at: Timestamp
    package let button: String
    package let comment: String?

    init(by: Responder, at: Timestamp, button: String, comment: String? = nil) {
      (self.by, self.at, self.button, self.comment) = (by, at, button, comment)
    }
  }
}

extension Presentation.Approval: Record {
  package static var about: String {
    "One person's approval."
  }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    by = try f("by", \.by)
    at = try f("at", \.at)
    button = try f("button", \.button, "", .schema("Name"))
    comment = try f("comment", \.comment, "", .schema("Comment"))
  }
}
