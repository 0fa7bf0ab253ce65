package import OrderedCollections
public import Router

extension RouterClient {
  /// Answers a presentation, and returns once the answer is durable.
  ///
  /// With a generation (default: the current one), the call is retried if the daemon goes away before it replies. The
  /// answer counts only once, because a restart starts a new generation.
  public func answer(
    _ id: PresentationID, _ answer: PresentationAnswer, isSuppressed: Bool = false, comment: String? = nil,
    generation: Int? = nil
  ) async throws -> Presentation {
    try await self.answer(
      id, answer, AnswerExtra(isSuppressed: isSuppressed, comment: comment), generation: generation)
  }

  package func answer(
    _ id: PresentationID, _ answer: PresentationAnswer, _ extra: AnswerExtra, generation: Int? = nil
  ) async throws -> Presentation {
    let body = AnswerBody(answer: answer, extra, generation: generation)
    return try await act(HTTPCall(.POST, APIPath.answer(id), json: body.jsonText), on: id, generation) {
      $0 == .answered(answer) || $0 == .answered(.redacted)
    }
  }

  /// Answers a presentation and, with it, those in `extra.also`. Returns it, and what became of each of the others: `answered`,
  /// `resolved` if it had ended before, or `changed` if it was left alone for another reason.
  package func answerAll(
    _ id: PresentationID, _ answer: PresentationAnswer, _ extra: AnswerExtra, generation: Int? = nil
  ) async throws -> (answered: Presentation, also: OrderedDictionary<String, JSONValue>) {
    let body = AnswerBody(answer: answer, extra, generation: generation)
    return try await calling(isRepeatable: false) { _ in
      let reply = try await json(HTTPCall(.POST, APIPath.answer(id), json: body.jsonText))
      do throws(JSONError) {
        return (try Presentation(json: reply), reply["also"]?.object ?? [:])
      } catch {
        throw http.misunderstood(error.description)
      }
    }
  }

  /// Returns the open presentations that can be answered together with one, in queue order.
  @Sendable package func alike(_ id: PresentationID) async throws -> [Presentation] {
    try await firstPresentations(limit: AnswerExtra.maximumAlso, like: id)
  }

  /// Closes a presentation without an answer.
  public func dismiss(_ id: PresentationID, comment: String? = nil, generation: Int? = nil) async throws -> Presentation {
    let body = AnswerBody(AnswerExtra(comment: comment), generation: generation)
    return try await act(HTTPCall(.POST, APIPath.dismiss(id), json: body.jsonText), on: id, generation) { $0 == .dismissed }
  }

  /// Takes a shown presentation off the screen for a while, from 10 seconds to 24 hours. It keeps its place in the queue.
  ///
  /// - Throws: ``RouterError`` with the field `/for` if it would expire before.
  public func snooze(_ id: PresentationID, for duration: Duration, generation: Int? = nil) async throws -> Presentation {
    let body = SnoozeBody(duration: duration, generation: generation)
    // Repeated after a lost reply, it would be refused: it is no longer shown.
    return try await calling(isRepeatable: false) { _ in
      try await presentation(HTTPCall(.POST, APIPath.snooze(id), json: body.jsonText))
    }
  }

  /// Ends a snooze before its time. Does nothing if the presentation is not snoozed.
  public func wake(_ id: PresentationID) async throws -> Presentation {
    try await calling(isRepeatable: true) { _ in try await presentation(HTTPCall(.DELETE, APIPath.snooze(id))) }
  }

  /// Lets the prompts of a presentation's session wait for a while: those that are open, and those that it asks for until then.
  package func pauseSession(of id: PresentationID, for duration: Duration) async throws -> Presentation {
    let body = PauseBody(duration: duration)
    return try await calling(isRepeatable: false) { _ in
      try await presentation(HTTPCall(.POST, APIPath.pause(id), json: body.jsonText))
    }
  }

  /// Ends a pause before its time.
  ///
  /// - Parameter id: The presentation at which the session was paused.
  package func endPause(_ id: PresentationID) async throws {
    try await calling(isRepeatable: false) { _ in
      if let error = try await http.attempt(HTTPCall(.DELETE, APIPath.pause(id))).error { throw error }
    }
  }

  /// The paused sessions of all surfaces.
  package func pauses() async throws -> [SessionPause] { try await surfaces().flatMap(\.pauses) }

  /// Shows a waiting presentation now, in place of the current one, which comes back after it.
  public func raise(_ id: PresentationID) async throws -> Presentation {
    try await calling(isRepeatable: true) { _ in try await presentation(HTTPCall(.POST, APIPath.raise(id))) }
  }

  /// Reports that a presentation cannot be shown, and why.
  public func fail(_ id: PresentationID, _ detail: String, generation: Int? = nil) async throws -> Presentation {
    let body = AnswerBody(detail: detail, generation: generation)
    return try await act(HTTPCall(.POST, APIPath.fail(id), json: body.jsonText), on: id, generation) { $0 == .failed(detail) }
  }

  /// Acts on a shown presentation. `isDone` recognizes the outcome of this call.
  private func act(
    _ call: HTTPCall, on id: PresentationID, _ generation: Int?, isDone: (PresentationOutcome) -> Bool
  ) async throws -> Presentation {
    try await calling(isRepeatable: generation != nil) { attempt in
      do {
        return try await presentation(call)
      } catch let error as RouterError where attempt.isRepeat && error.outcome.map(isDone) ?? false {
        // It ended with the same outcome. The log shows whether this process or another presenter caused it.
        let ended = try await presentation(HTTPCall(.GET, APIPath.presentation(id)))
        let (by, own) = (ended.resolvedBy?.process, ProcessIdentity.current)
        guard by?.uid == own.uid, by?.pid == own.pid else { throw error }
        return ended
      }
    }
  }
}
