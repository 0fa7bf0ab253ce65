import NIOHTTP1
import OrderedCollections
import Router

/// The routes for presenters: answering, and `/v1/surfaces`.
struct PresentingRoutes: Sendable {
  let coordinators: Coordinators
  let change: GuardedChange
  let grants: GrantRoutes

  /// `POST /v1/presentations/{id}/answer`
  func answer(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let id = try call.presentationID()
    let mayBeSensitive = coordinator.openPresentation(id)?.request.sensitive ?? true
    if mayBeSensitive { call.exchange.wipeStackSoon() }
    return try call.decode(on: coordinator) {
      try AnswerBody(json: $0, for: .answer)
    } then: { body, coordinator in
      // A large body is decoded before another turn.
      if mayBeSensitive { call.exchange.wipeStackSoon() }
      guard let answer = body.answer else { throw RouterError(.invalid, "cannot answer: the body has no answer") }
      if body.extra.remember != nil { try grants.check(call, coordinator) }
      if !body.extra.also.isEmpty { return answerAll(id, answer, body, call, coordinator) }
      return try respond(id, body.generation, PresenterResponse(answer, body.extra), call, coordinator)
    }
  }

  /// Answers several presentations, and responds with what became of each.
  private func answerAll(
    _ id: PresentationID, _ answer: PresentationAnswer, _ body: AnswerBody, _ call: Call,
    _ coordinator: isolated PresentationCoordinator
  ) -> Response? {
    let by = coordinator.resolver(for: call.peer, on: id)
    change(id, call, on: coordinator) {
      .answer($0, generation: body.generation, answer, body.extra, by: by)
    } encode: { presentation, respond in
      coordinator.send { coordinator in
        coordinator.fates(of: Array(body.extra.also.keys), with: presentation.id) { fates in
          respond(
            fates.map { fates in
              Response { writer in
                presentation.addMembers(to: &writer)
                writer.add("also", fates)
              }
            })
        }
      }
    }
    return nil
  }

  /// `POST /v1/presentations/{id}/dismiss`
  func dismiss(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let id = try call.presentationID()
    return try call.decode(isOptional: true, on: coordinator) {
      try AnswerBody(json: $0, for: .dismiss)
    } then: { body, coordinator in
      try respond(id, body.generation, PresenterResponse(nil, body.extra), call, coordinator)
    }
  }

  /// `POST /v1/presentations/{id}/snooze`
  func snooze(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let id = try call.presentationID()
    return try call.decode(on: coordinator) {
      try SnoozeBody(json: $0)
    } then: { body, coordinator in
      try respond(id, body.generation, .snooze(for: body.duration), call, coordinator)
    }
  }

  /// `DELETE /v1/presentations/{id}/snooze`
  func wake(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let id = try call.presentationID()
    let by = coordinator.resolver(for: call.peer, on: id)
    change(id, call, on: coordinator) { .wake($0, by: by) }
    return nil
  }

  /// `POST /v1/presentations/{id}/raise`
  func raise(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let id = try call.presentationID()
    try coordinator.countAttachment(by: call.peer)
    let by = coordinator.resolver(for: call.peer, on: id)
    change(id, call, on: coordinator) { .raise($0, by: by) }
    return nil
  }

  /// `POST /v1/presentations/{id}/pause`
  func pause(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let id = try call.presentationID()
    return try call.decode(on: coordinator) {
      try PauseBody(json: $0)
    } then: { body, coordinator in
      let by = coordinator.resolver(for: call.peer, on: id)
      change(id, call, on: coordinator) { .pauseSession($0, for: body.duration, by: by) }
      return nil
    }
  }

  /// `DELETE /v1/presentations/{id}/pause`
  func resume(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let id = try call.presentationID()
    coordinator.endPause(id, by: coordinator.resolver(for: call.peer, on: id)) { [change] result in
      change.respond(to: call, result.map { Response(.noContent) }, on: nil)
    }
    return nil
  }

  /// `POST /v1/presentations/{id}/fail`
  func fail(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let id = try call.presentationID()
    return try call.decode(isOptional: true, on: coordinator) {
      try AnswerBody(json: $0, for: .fail)
    } then: { body, coordinator in
      let by = coordinator.resolver(for: call.peer, on: id)
      change(id, call, on: coordinator) { .fail($0, generation: body.generation, detail: body.detail ?? "", by: by) }
      return nil
    }
  }

  private func respond(
    _ id: PresentationID, _ generation: Int?, _ response: PresenterResponse, _ call: Call,
    _ coordinator: isolated PresentationCoordinator
  ) throws -> Response? {
    let by = coordinator.resolver(for: call.peer, on: id)
    change(id, call, on: coordinator) { PresentationInput($0, generation: generation, response, by: by) }
    return nil
  }

  /// `GET /v1/surfaces`
  func surfaces(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let states = coordinators.all.flatMap { $0.coordinator.enter { $0.surfaceStates } }
    return Response(SurfaceList(states.sorted { $0.name < $1.name }))
  }

  /// `GET /v1/surfaces/{surface}/stream`
  func stream(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    var query = QueryParameters(call.request)
    let name = try query.string("name") ?? call.peer.name
    let scope = PresenterScope(
      only: try query.presentationID("only"), after: try query.count("after", 1...86_400).map { .seconds($0) },
      priority: try query.choice("priority"))
    try query.finish()
    let exchange = call.exchange
    let id = try coordinator.attach(name, process: call.peer, on: call.parameter, scope: scope) { event in
      exchange.send(event.serverSentBytes)
    } end: { error in
      if error == nil { exchange.closeStream() } else { exchange.disconnect() }
    }
    exchange.openStream()
    exchange.onDisconnect { [coordinator] in coordinator.enter { $0.leave(id) } }
    return nil
  }
}
