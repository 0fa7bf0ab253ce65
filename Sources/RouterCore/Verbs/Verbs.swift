/// All verbs. Add new ones to ``all``.
package enum Verbs {
  package static let all: [any Verb.Type] = [
    Answer.self, Dismiss.self, Snooze.self, Wake.self, Raise.self, PauseSession.self, Fail.self, Cancel.self, Finish.self,
    Detach.self, RequesterGone.self, Claim.self,
  ]

  static func named(_ name: String) -> (any Verb.Type)? { all.first { $0.name.isSame(as: name) } }
}

/// A change, as sent by a host of a shared surface to its leader.
extension Change: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let name = try f("type") { type(of: $0.verb).name }
    guard let type = Verbs.named(name) else { throw JSONError("is not known", at: "/type") }
    id = try f("id", \.id)
    let by = try f("by", \.by)
    try f.check(by != nil || type.guarded == .connection, "is missing", at: "by")
    self.by = by
    // Hosts with an earlier version require the member.
    isAdmin = try f("isAdmin", ifAbsent: false, \.isAdmin)
    verb = try f.verb(type)
    generation = try f("generation", \.generation)
  }
}

extension Fields<Change> {
  fileprivate mutating func verb<Kind: Verb>(_ type: Kind.Type) throws(JSONError) -> any Verb {
    let verb: Kind = try inline { change in
      guard let verb = change.verb as? Kind else { preconditionFailure("\(Kind.name) is the name of two verbs") }
      return verb
    }
    return verb
  }
}
