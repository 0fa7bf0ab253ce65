/// The body of `POST /v1/web/link`.
package struct WebLinkBody: Sendable, Hashable {
  /// The name or number of the user whose browser may open the link; `nil` for the caller.
  package var user: String?

  package init(user: String?) { self.user = user }
}

extension WebLinkBody: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    user = try f(
      orNull: "for", \.user, "The user whose browser may open the link, by name or number (default: the caller).",
      ["type": "string", "minLength": 1])
  }
}

/// The response of `POST /v1/web/link`: a link that gives one browser access to the page, once and within its lifetime.
package struct WebLink: Sendable, Hashable {
  package var url: String
  package var lifetime: Duration

  package init(url: String, lifetime: Duration) { (self.url, self.lifetime) = (url, lifetime) }
}

extension WebLink: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    url = try f("url", \.url, "", ["type": "string", "format": "uri"])
    lifetime = try f("lifetime", \.lifetime, "Seconds until the link expires.")
  }
}
