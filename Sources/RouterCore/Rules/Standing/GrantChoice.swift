/// A person's choice of what Router remembers with an answer.
package struct GrantChoice: Sendable, Hashable {
  package var width: GrantOffer.Width
  package var period: PresentationRequest.Remember.Period
  /// The id of the grant, which the coordinator sets.
  package var id: GrantID?

  package init(_ width: GrantOffer.Width = GrantOffer.Width(.exact), for period: PresentationRequest.Remember.Period) {
    (self.width, self.period) = (width, period)
  }
}

extension GrantChoice: Record {
  package static var schemaName: String { "RememberChoice" }
  package static var about: String {
    "How to remember the answer: one of the choices of the presentation's offer. Needs the role grant."
  }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    width = GrantOffer.Width(
      try f("match", ifAbsent: .exact, \.width.match),
      count: try f(
        "count", \.width.count, "The number of arguments of a prefix (default: the offered one).",
        ["type": "integer", "minimum": 1]))
    period = try f("for", \.period)
    id = try f("grant", \.id, "Set by the daemon.")
  }
}
