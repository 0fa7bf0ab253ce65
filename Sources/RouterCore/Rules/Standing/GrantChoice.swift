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

extension GrantChoice: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    width.addMembers(to: &writer)
    writer.add("for", period.json)
    writer.add("grant", ifPresent: id?.description)
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    let match = try reader.choice("match", of: PresentationRequest.Remember.Match.self) ?? .exact
    let count = try reader.count("count")
    guard let period = reader.any("for") else { throw reader.error("is missing", at: "for") }
    self.init(
      GrantOffer.Width(match, count: count), for: try PresentationRequest.Remember.Period(json: period, at: pointer + "/for"))
    id = try reader.presentationID(ifPresent: "grant")
    try reader.finish()
  }
}
