import Synchronization

/// The immutable part of a presentation, shared by its copies and its `requested` event.
package final class Asked: Sendable, Hashable {
  let requester: Presentation.Requester
  let request: PresentationRequest
  let at: Timestamp
  /// The request number, counted from 1 in each log; 0 if unknown.
  let number: Int
  let key: IdempotencyKey?
  private let text = AtomicLazyReference<Text>()

  private final class Text: Sendable {
    let json: JSONText

    package init(_ json: JSONText) { self.json = json }
  }

  /// Creates the immutable part of a valid request, whose encoding it uses.
  package convenience init(
    requester: Presentation.Requester, valid: ValidRequest, at: Timestamp, number: Int, key: IdempotencyKey?
  ) {
    self.init(requester: requester, request: valid.request, at: at, number: number, key: key)
    _ = text.storeIfNil(Text(valid.text))
  }

  package init(
    requester: Presentation.Requester, request: PresentationRequest, at: Timestamp, number: Int, key: IdempotencyKey?
  ) {
    self.requester = requester
    self.request = request
    self.at = at
    self.number = number
    self.key = key
  }

  /// The request's JSON, encoded once: it is recorded twice, shown, and sent with the outcome.
  package var requestText: JSONText { (text.load() ?? text.storeIfNil(Text(request.jsonText.compact))).json }

  /// Ignores the request number and key, which only the log knows.
  package static func == (left: Asked, right: Asked) -> Bool {
    left === right || (left.at == right.at && left.requester == right.requester && left.request == right.request)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(requester)
    hasher.combine(request)
    hasher.combine(at)
  }
}
