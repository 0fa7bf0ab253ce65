/// A normalized and checked request with its encoding, the only form that a decider accepts. Created once; for a large request,
/// off the event loop. Recorded requests are not checked again.
package struct ValidRequest: Sendable, Hashable {
  package let request: PresentationRequest
  /// The request's JSON, as recorded.
  let text: JSONText

  /// Normalizes and checks a request. Throws a ``JSONError`` that points to the invalid field.
  package init(_ request: PresentationRequest, at pointer: String = "") throws(JSONError) {
    self.init(unchecked: try request.normalized(at: pointer))
  }

  /// Decodes and checks a request body. Throws a ``JSONError`` that points to the invalid field.
  package init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    try self.init(PresentationRequest(accepted: json, at: pointer), at: pointer)
  }

  /// Decodes and checks a request that another host accepted, possibly with an earlier version.
  init(ofHost json: JSONValue, at pointer: String) throws(JSONError) {
    var request = try PresentationRequest(accepted: json, at: pointer)
    request.suppressionToggle = nil
    try self.init(request, at: pointer)
  }

  /// Returns a copy with the changes of a rule; the recorded request stays as sent.
  func ruled(_ ruling: Ruling) -> ValidRequest {
    var request = request
    ruling.apply(to: &request)
    return ValidRequest(request: request, text: text)
  }

  private init(request: PresentationRequest, text: JSONText) { (self.request, self.text) = (request, text) }

  package init(unchecked request: PresentationRequest) {
    self.request = request
    text = request.jsonText.compact
  }
}
