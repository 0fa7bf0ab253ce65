/// A request that can be shown, with its encoding. Both take long for a large form, so they are made once, where nobody
/// waits.
package struct CheckedRequest: Sendable, Hashable {
  package let request: PresentationRequest
  /// The request's JSON, as recorded.
  let text: JSONText

  /// Normalizes and checks a request. Throws a ``JSONError`` that points to the invalid field.
  package init(_ request: PresentationRequest, at pointer: String = "") throws(JSONError) {
    self.request = try request.normalized(at: pointer)
    text = self.request.jsonText.compact
  }

  /// Decodes and checks a request body. Throws a ``JSONError`` that points to the invalid field.
  package init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    try self.init(PresentationRequest(accepted: json, at: pointer), at: pointer)
  }
}
