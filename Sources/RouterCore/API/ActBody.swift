package import OrderedCollections

/// The body of a call that changes a presentation: the verb's members and the generation that the person saw.
package struct ActBody<Kind: Verb>: Sendable, Hashable {
  package var verb: Kind
  /// The generation; `nil` for the current one.
  package var generation: Int?

  package init(_ verb: Kind, generation: Int? = nil) { (self.verb, self.generation) = (verb, generation) }
}

extension ActBody: Record {
  package static var schemaName: String { "\(Kind.self)Body" }
  package static var about: String { Kind.about }
  package static var conditions: OrderedDictionary<String, JSONValue> { Kind.conditions }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    verb = try f.inline(\.verb)
    // The requester does not see generations.
    generation = Kind.guarded == .withdrawal ? nil : try f("generation", \.generation, "", .schema("Generation"))
  }
}
