import Synchronization

/// What never changes of a presentation: who asked what, and when. Its copies and its `requested` event share one.
final class Asked: Sendable, Hashable {
  let requester: Requester
  let request: PresentationRequest
  let at: Timestamp
  /// Counts the accepted requests of a log from 1; 0 where that is not known.
  let number: Int
  let key: IdempotencyKey?
  private let text = AtomicLazyReference<Text>()

  private final class Text: Sendable {
    let json: JSONText

    init(_ json: JSONText) { self.json = json }
  }

  init(requester: Requester, request: PresentationRequest, at: Timestamp, number: Int, key: IdempotencyKey?) {
    self.requester = requester
    self.request = request
    self.at = at
    self.number = number
    self.key = key
  }

  /// The request's JSON, written once: it is recorded twice, shown, and sent with the outcome.
  var requestText: JSONText { (text.load() ?? text.storeIfNil(Text(request.jsonText.compact))).json }

  /// Whether both say the same; what only the log knows does not count.
  static func == (left: Asked, right: Asked) -> Bool {
    left === right || (left.at == right.at && left.requester == right.requester && left.request == right.request)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(requester)
    hasher.combine(request)
    hasher.combine(at)
  }
}
