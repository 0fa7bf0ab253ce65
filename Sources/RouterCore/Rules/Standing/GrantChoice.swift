/// What a person has Router remember with an answer.
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
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    width = GrantOffer.Width(
      try f("match", ifAbsent: .exact, \.width.match), count: try f("count", \.width.count))
    period = try f("for", \.period)
    id = try f("grant", \.id)
  }
}
