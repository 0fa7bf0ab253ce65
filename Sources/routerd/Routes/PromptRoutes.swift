import HTTPTypes
import Hummingbird
import Router

/// How an open presentation reads, and whether what is being typed fits: the same words for every presenter.
struct PromptRoutes: Sendable {
  let coordinator: PresentationCoordinator
  let bodyBytes: Int

  /// `GET /v1/presentations/{id}/prompt`
  @Sendable func describe(_ request: Request, _ context: PeerContext) async throws -> Response {
    let presentation = try await open(context)
    let timeLeft = await coordinator.timeLeft(of: presentation.id)
    return Response(headers: [.cacheControl: "no-store"]) { writer in
      writer.add("id", presentation.id.description)
      writer.add("generation", presentation.generation)
      writer.add("prompt", PromptDescription(presentation))
      writer.add("timeLeft", timeLeft.map(JSONValue.seconds) ?? .null)
    }
  }

  /// `POST /v1/presentations/{id}/check`
  @Sendable func check(_ request: Request, _ context: PeerContext) async throws -> Response {
    let presentation = try await open(context)
    let body = try TypedForm(json: try await request.json(upTo: bodyBytes))
    guard let schema = presentation.request.schema else {
      throw RouterError(.impossible, "cannot check: the presentation \(presentation.id) has no form")
    }
    return Response(json: try body.checked(against: schema), headers: [.cacheControl: "no-store"])
  }

  /// The presentation of the path, while it is open.
  private func open(_ context: PeerContext) async throws -> Presentation {
    try await coordinator.presentation(try context.presentationID()) { $0.state != .resolved && context.maySee($0) }
  }
}
