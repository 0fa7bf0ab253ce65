import Synchronization

/// The immutable part of a presentation, shared by its copies and its `requested` event.
@usableFromInline package final class Asked: Sendable, Hashable {
  @usableFromInline let requester: Presentation.Requester
  /// The request, with the changes of ``ruling``.
  @usableFromInline let request: PresentationRequest
  /// The rule that sent the request to a person.
  let ruling: Ruling?
  let at: Timestamp
  /// The request number, counted from 1 in each log; 0 if unknown.
  let number: Int
  let key: IdempotencyKey?
  private let text = AtomicLazyReference<KeptText>()

  /// Creates the immutable part of a valid request, whose encoding it uses.
  package convenience init(
    requester: Presentation.Requester, valid: ValidRequest, ruling: Ruling? = nil, at: Timestamp, number: Int,
    key: IdempotencyKey?
  ) {
    self.init(requester: requester, ruled: valid.request, ruling, at: at, number: number, key: key)
    _ = text.storeIfNil(KeptText(valid.text))
  }

  /// - Parameter request: The request as sent.
  package convenience init(
    requester: Presentation.Requester, request: PresentationRequest, ruling: Ruling? = nil, at: Timestamp, number: Int,
    key: IdempotencyKey?
  ) {
    var ruled = request
    ruling?.apply(to: &ruled)
    self.init(requester: requester, ruled: ruled, ruling, at: at, number: number, key: key)
    if ruling != nil { _ = text.storeIfNil(KeptText(request.jsonText.compact)) }
  }

  private init(
    requester: Presentation.Requester, ruled request: PresentationRequest, _ ruling: Ruling?, at: Timestamp, number: Int,
    key: IdempotencyKey?
  ) {
    (self.requester, self.request, self.ruling, self.at) = (requester, request, ruling, at)
    (self.number, self.key) = (number, key)
  }

  /// Returns a copy with the request number and key, which only the log knows.
  func numbered(_ number: Int, key: IdempotencyKey?) -> Asked {
    let copy = Asked(requester: requester, ruled: request, ruling, at: at, number: number, key: key)
    _ = copy.text.storeIfNil(KeptText(requestText))
    return copy
  }

  /// The JSON of the request as sent, encoded once: it is recorded twice, shown, and sent with the outcome.
  package var requestText: JSONText { (text.load() ?? text.storeIfNil(KeptText(request.jsonText.compact))).json }

  /// Ignores the request number and key, which only the log knows.
  @usableFromInline package static func == (left: Asked, right: Asked) -> Bool {
    left === right
      || (left.at == right.at && left.requester == right.requester && left.request == right.request
        && left.ruling == right.ruling)
  }

  @usableFromInline package func hash(into hasher: inout Hasher) {
    hasher.combine(requester)
    hasher.combine(request)
    hasher.combine(at)
  }
}

extension Asked: Record {
  package static var ignoresUnknown: Bool { true }

  package convenience init(_ f: inout Fields<Asked>) throws(JSONError) {
    self.init(
      requester: try f("requester", \.requester),
      request: try f("request", { AcceptedRequest(request: $0.request) }, "As it was sent.").request,
      ruling: try f("ruled", \.ruling, "Absent without a rule."), at: try f("requestedAt", \.at), number: 0, key: nil)
  }

  /// Adds the members, with the text of the request as sent.
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("requester", requester)
    writer.add("request", text: requestText)
    writer.add("ruled", ifPresent: ruling)
    writer.add("requestedAt", at)
  }
}
