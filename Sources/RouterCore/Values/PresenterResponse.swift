/// The person's response to a presentation.
public struct PresenterResponse: Sendable, Hashable {
  /// The answer; `nil` if the person closed it without one.
  public var answer: PresentationAnswer?
  package var extra = AnswerExtra()
  /// How long to wait before it is shown again; `nil` if the response ends it.
  package var snooze: Duration?

  /// Why the person decided so, for the requester; never for a sensitive request.
  public var comment: String? { extra.comment }

  /// What it does to the presentation.
  package var verb: any Verb {
    if let snooze { return Verbs.Snooze(for: snooze) }
    return answer.map { Verbs.Answer($0, extra) } ?? Verbs.Dismiss(comment: comment)
  }

  package init(_ answer: PresentationAnswer?, _ extra: AnswerExtra = AnswerExtra()) {
    (self.answer, self.extra) = (answer, extra)
  }

  /// An answer.
  ///
  /// - Parameter comment: At most 4,096 bytes, without control characters other than line feeds. An empty one is none.
  public static func answer(_ answer: PresentationAnswer, comment: String? = nil) -> PresenterResponse {
    PresenterResponse(answer, AnswerExtra(comment: comment))
  }

  /// Closes it without an answer.
  public static let dismiss = PresenterResponse(nil)

  /// Shows it again later, from 10 seconds to 24 hours from now, in its place in the queue. Its `timeout` runs on.
  public static func snooze(for duration: Duration) -> PresenterResponse {
    var response = dismiss
    response.snooze = duration
    return response
  }

  /// Closes it without an answer, and says why.
  public static func dismiss(comment: String?) -> PresenterResponse { PresenterResponse(nil, AnswerExtra(comment: comment)) }
}
