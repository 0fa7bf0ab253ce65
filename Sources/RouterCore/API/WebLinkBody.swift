/// The body of `POST /v1/web/link`.
package struct WebLinkBody: Sendable, Hashable, JSONObject {
  /// The name or number of the user whose browser may open the link; `nil` for the caller.
  package var user: String?

  package init(user: String?) {
    self.user = user
  }

  package init(json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    user = try reader.string("for")
    try reader.finish()
  }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("for", optional: user)
  }
}
