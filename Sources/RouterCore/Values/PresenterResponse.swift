/// The person's response to a presentation.
public struct PresenterResponse: Sendable, Hashable {
  /// The answer; `nil` if the person closed the presentation without an answer.
  public var answer: PresentationAnswer?
  package var extra = AnswerExtra()
  /// The delay before the next showing; `nil` if the response ends the presentation.
  package var snooze: Duration?

  /// The person's comment for the requester; always `nil` for a sensitive request.
  public var comment: String? { extra.comment }

  /// The verb that sends the response.
  package var verb: any Verb {
    if let snooze { return Verbs.Snooze(for: snooze) }
    return answer.map { Verbs.Answer($0, extra) } ?? Verbs.Dismiss(comment: comment)
  }

  package init(_ answer: PresentationAnswer?, _ extra: AnswerExtra = AnswerExtra()) {
    (self.answer, self.extra) = (answer, extra)
  }

  /// An answer.
  ///
  /// - Parameter comment: At most 4,096 bytes, without control characters other than line feeds. An empty comment counts as
  ///   `nil`.
  public static func answer(_ answer: PresentationAnswer, comment: String? = nil) -> PresenterResponse {
    PresenterResponse(answer, AnswerExtra(comment: comment))
  }

  /// Closes the presentation without an answer.
  public static let dismiss = PresenterResponse(nil)

  /// Shows the presentation again later, 10 seconds to 24 hours from now, at its queue position. Its `timeout` keeps running.
  public static func snooze(for duration: Duration) -> PresenterResponse {
    var response = dismiss
    response.snooze = duration
    return response
  }

  /// Closes the presentation without an answer, with an optional comment.
  public static func dismiss(comment: String?) -> PresenterResponse { PresenterResponse(nil, AnswerExtra(comment: comment)) }
}
