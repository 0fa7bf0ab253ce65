import NIOCore
import NIOHTTP1
import Router

/// The routes for display text and form validation, which give all presenters the same wording.
struct PromptRoutes: Sendable {
  let names: UserNames

  /// `GET /v1/presentations/{id}/prompt`
  func describe(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let presentation = try open(call, coordinator)
    let timeLeft = coordinator.timeLeft(of: presentation.id)
    let process = presentation.requester.process
    let viewer = call.peer.uid
    let (exchange, loop) = (call.exchange, call.exchange.loop)
    // User ids of another host do not belong to this machine's users.
    let name = process.host.isEmpty ? names.find(process.uid, on: loop) : loop.makeSucceededFuture(nil)
    name.whenSuccess { name in
      let describe = { @Sendable in
        let prompt = PromptDescription(presentation, userName: name, viewer: viewer)
        return Response(
          PromptReply(id: presentation.id, generation: presentation.generation, prompt: prompt, timeLeft: timeLeft),
          headers: ["Cache-Control": "no-store"])
      }
      guard presentation.requestText.bytes.count > Call.maximumBytesOnLoop else {
        return exchange.respond(.success(describe()))
      }
      exchange.run(describe) { $0 }
    }
    return nil
  }

  /// `POST /v1/presentations/{id}/check`
  func check(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let presentation = try open(call, coordinator)
    guard let schema = presentation.request.schema else {
      throw RouterError(.impossible, "cannot check: the prompt \(presentation.id) has no form")
    }
    call.exchange.run {
      let form = try TypedForm(json: try call.request.json())
      return Response(try form.checked(against: schema), headers: ["Cache-Control": "no-store"])
    } then: {
      $0
    }
    return nil
  }

  /// Returns the presentation in the path if it is open.
  private func open(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Presentation {
    let id = try call.presentationID()
    guard let presentation = coordinator.openPresentation(id), call.maySee(presentation) else {
      throw RouterError(.notFound, "cannot find the prompt \(id)")
    }
    return presentation
  }
}
