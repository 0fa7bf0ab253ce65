package import OrderedCollections
public import Router

/// Each call returns once its effect is durable, or throws a ``RouterError`` with the reason: `notFound`, `resolved` if the
/// presentation has ended, `staleGeneration`, `notPresented` or `covered` if it is not shown, `forbidden` without the role.
extension RouterClient {
  /// Answers a presentation, and returns once the answer is durable.
  ///
  /// With a generation (default: the current one), the call is retried if the daemon goes away before it replies. The answer is
  /// accepted only once, because a restart starts a new generation.
  public func answer(
    _ id: PresentationID, _ answer: PresentationAnswer, comment: String? = nil, generation: Int? = nil
  ) async throws -> Presentation {
    try await self.answer(id, answer, AnswerExtra(comment: comment), generation: generation)
  }

  package func answer(
    _ id: PresentationID, _ answer: PresentationAnswer, _ extra: AnswerExtra, generation: Int? = nil
  ) async throws -> Presentation {
    try await act(Verbs.Answer(answer, extra), on: id, generation: generation)
  }

  /// Answers a presentation together with those in `extra.also`. Returns the presentation and the result for each of the
  /// others: `answered`, `resolved` if it had ended before, or `changed` if it was skipped for another reason.
  package func answerAll(
    _ id: PresentationID, _ answer: PresentationAnswer, _ extra: AnswerExtra, generation: Int? = nil
  ) async throws -> (answered: Presentation, also: OrderedDictionary<String, JSONValue>) {
    try await calling(isRepeatable: false) { _ in
      let reply = try await json(call(Verbs.Answer(answer, extra), on: id, generation: generation))
      do throws(JSONError) {
        return (try Presentation(reply: reply), reply["also"]?.object ?? [:])
      } catch {
        throw http.misunderstood(error.description)
      }
    }
  }

  /// Returns the open presentations that one answer may include with this one, in queue order.
  @Sendable package func alike(_ id: PresentationID) async throws -> [Presentation] {
    try await firstPresentations(limit: AnswerExtra.maximumAlso, like: id)
  }

  /// Closes a presentation without an answer.
  public func dismiss(_ id: PresentationID, comment: String? = nil, generation: Int? = nil) async throws -> Presentation {
    try await act(Verbs.Dismiss(comment: comment), on: id, generation: generation)
  }

  /// Withdraws a shown presentation for a while, from 10 seconds to 24 hours. It keeps its queue position.
  ///
  /// - Throws: ``RouterError`` with the field `/for` if the presentation would expire earlier.
  public func snooze(_ id: PresentationID, for duration: Duration, generation: Int? = nil) async throws -> Presentation {
    try await act(Verbs.Snooze(for: duration), on: id, generation: generation)
  }

  /// Ends a snooze early. Does nothing if the presentation is not snoozed.
  public func wake(_ id: PresentationID) async throws -> Presentation {
    try await act(Verbs.Wake(), on: id)
  }

  /// Pauses a presentation's session: its open prompts, and its prompts until the end of the pause, wait.
  package func pauseSession(of id: PresentationID, for duration: Duration) async throws -> Presentation {
    try await act(Verbs.PauseSession(for: duration), on: id)
  }

  /// Ends a pause early.
  ///
  /// - Parameter id: The presentation at which the session was paused.
  package func endPause(_ id: PresentationID) async throws {
    try await calling(isRepeatable: false) { _ in
      if let error = try await http.attempt(HTTPCall(.DELETE, APIPath.pause(id))).error { throw error }
    }
  }

  /// The paused sessions of all surfaces.
  package func pauses() async throws -> [SessionPause] { try await surfaces().flatMap(\.pauses) }

  /// Shows a waiting presentation now, in place of the current one, which returns afterward.
  public func raise(_ id: PresentationID) async throws -> Presentation {
    try await act(Verbs.Raise(), on: id)
  }

  /// Reports that a presentation cannot be shown, with the reason.
  public func fail(_ id: PresentationID, _ detail: String, generation: Int? = nil) async throws -> Presentation {
    try await act(Verbs.Fail(detail), on: id, generation: generation)
  }

  /// Applies a verb to an open presentation, and returns once the effect is durable. Retries if the verb allows it.
  package func act(_ verb: some Verb, on id: PresentationID, generation: Int? = nil) async throws -> Presentation {
    let isRepeatable =
      switch type(of: verb).repetition {
      case .never: false
      case .ofShowing: generation != nil
      case .always: true
      }
    return try await calling(isRepeatable: isRepeatable) { attempt in
      do {
        return try await presentation(call(verb, on: id, generation: generation))
      } catch let error as RouterError where attempt.isRepeat && error.outcome.map(verb.leads) ?? false {
        let ended = try await presentation(HTTPCall(.GET, APIPath.presentation(id)))
        // Another presenter may have given the same answer. For a withdrawal, the party makes no difference.
        let (by, own) = (ended.resolvedBy?.process, ProcessIdentity.current)
        guard type(of: verb).guarded == .withdrawal || (by?.uid == own.uid && by?.pid == own.pid) else { throw error }
        return ended
      }
    }
  }

  private func call<Kind: Verb>(_ verb: Kind, on id: PresentationID, generation: Int?) -> HTTPCall {
    guard let call = Kind.call else { preconditionFailure("\(Kind.self) has no call") }
    let path = call.path(APIPath.presentation(id))
    switch call {
    case .post:
      let body = ActBody(verb, generation: generation).jsonText
      return body.description == "{}" ? HTTPCall(.POST, path) : HTTPCall(.POST, path, json: body)
    case .delete: return HTTPCall(.DELETE, path)
    }
  }
}
