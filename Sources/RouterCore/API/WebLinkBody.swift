/// The body of `POST /v1/web/link`.
package struct WebLinkBody: Sendable, Hashable {
  /// The name or number of the user whose browser may open the link; `nil` for the caller.
  package var user: String?

  package init(user: String?) { self.user = user }
}

extension WebLinkBody: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) { user = try f(orNull: "for", \.user) }
}
