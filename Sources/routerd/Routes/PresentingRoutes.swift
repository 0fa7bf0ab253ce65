import HTTPTypes
import Hummingbird
import Router

/// Presenting: answering what is shown, and `/v1/surfaces`.
struct PresentingRoutes: Sendable {
  let coordinator: PresentationCoordinator
  let accessControl: AccessControl
  let bodyBytes: Int

  /// `POST /v1/presentations/{id}/answer`
  @Sendable func answer(_ request: Request, _ context: PeerContext) async throws -> Response {
    let id = try context.presentationID()
    let body = try AnswerBody(json: try await request.json(upTo: bodyBytes), for: .answer)
    guard let answer = body.answer else { throw RouterError(.invalid, "cannot answer: there is no answer in the body") }
    return try await respond(id, body.generation, .answer(answer), request, context)
  }

  /// `POST /v1/presentations/{id}/dismiss`
  @Sendable func dismiss(_ request: Request, _ context: PeerContext) async throws -> Response {
    let id = try context.presentationID()
    let body = try AnswerBody(json: try await request.optionalJSON(upTo: bodyBytes), for: .dismiss)
    return try await respond(id, body.generation, .dismiss, request, context)
  }

  /// `POST /v1/presentations/{id}/fail`
  @Sendable func fail(_ request: Request, _ context: PeerContext) async throws -> Response {
    let id = try context.presentationID()
    let body = try AnswerBody(json: try await request.optionalJSON(upTo: bodyBytes), for: .fail)
    let presentation = try await coordinator.fail(
      id, generation: body.generation, detail: body.detail ?? "", by: Resolver(process: context.peer))
    return Response(json: presentation.jsonText)
  }

  private func respond(
    _ id: PresentationID, _ generation: Int?, _ response: PresenterResponse, _ request: Request, _ context: PeerContext
  ) async throws -> Response {
    try await accessControl.checkAnswer(to: id, request, context)
    let by = await coordinator.resolver(for: context.peer, on: id)
    let presentation = try await coordinator.respond(to: id, generation: generation, with: response, by: by)
    return Response(json: presentation.jsonText)
  }

  /// `GET /v1/surfaces`
  @Sendable func surfaces(_ request: Request, _ context: PeerContext) async throws -> Response {
    Response(json: ["surfaces": .array(await coordinator.surfaceStates.map(\.json))])
  }

  /// `GET /v1/surfaces/{surface}/stream`
  @Sendable func stream(_ request: Request, _ context: PeerContext) async throws -> Response {
    var query = QueryParameters(request)
    let name = try query.string("name") ?? context.peer.name
    try query.finish()
    let surface = context.parameters.get("surface") ?? ""
    let events = try coordinator.checkedEvents(for: name, process: context.peer, on: surface)
    return EventStream.response(PresenterStream(events: events))
  }
}

/// A surface's events as they go over the wire.
private struct PresenterStream: AsyncSequence, Sendable {
  let events: AsyncThrowingStream<PresenterEvent, any Error>

  struct AsyncIterator: AsyncIteratorProtocol {
    var events: AsyncThrowingStream<PresenterEvent, any Error>.AsyncIterator

    mutating func next() async throws -> [UInt8]? {
      try await events.next(isolation: #isolation)?.serverSentBytes
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
      try await events.next(isolation: actor)?.serverSentBytes
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(events: events.makeAsyncIterator())
  }
}
