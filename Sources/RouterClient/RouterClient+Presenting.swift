import NIOHTTP1
public import Router

extension RouterClient {
  /// Answers a presentation; returns when the answer is durable.
  ///
  /// - Parameter generation: The showing that the answer was given on; without it, the present one.
  public func answer(
    _ id: PresentationID, _ answer: PresentationAnswer, generation: Int? = nil
  ) async throws -> Presentation {
    let body = AnswerBody(answer: answer, generation: generation)
    return try await presentation(HTTPCall(.POST, APIPath.answer(id), json: body.json))
  }

  /// Closes a presentation without an answer.
  public func dismiss(_ id: PresentationID, generation: Int? = nil) async throws -> Presentation {
    let body = AnswerBody(generation: generation)
    return try await presentation(HTTPCall(.POST, APIPath.dismiss(id), json: body.json))
  }

  /// Says that a presentation cannot be shown, and why.
  public func fail(_ id: PresentationID, _ detail: String, generation: Int? = nil) async throws -> Presentation {
    let body = AnswerBody(detail: detail, generation: generation)
    return try await presentation(HTTPCall(.POST, APIPath.fail(id), json: body.json))
  }
}
