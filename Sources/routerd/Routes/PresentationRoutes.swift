import NIOCore
import NIOHTTP1
import Router

/// The routes for requesters: `/v1/presentations`.
struct PresentationRoutes: Sendable {
  let coordinators: Coordinators
  let names: UserNames

  /// `POST /v1/presentations`
  func ask(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    // Looks the user's name up early, for presenters to show.
    names.name(of: call.peer.uid)
    if call.request.body.readableBytes <= Call.maximumBytesOnLoop {
      let asked = try DecodedRequest(call)
      let isAsked = coordinators.keeper(of: asked.valid.request.options.surface)?.coordinator.enter { coordinator in
        if let key = asked.key, coordinator.mayBeUsed(key, by: asked.requester) { return false }
        HTTPAsker.ask(asked.valid, from: asked.requester, key: asked.key, mode: asked.mode, call, coordinator)
        return true
      }
      if isAsked == true { return nil }
    }
    call.exchange.run { [coordinators] in
      let asked = try DecodedRequest(call)
      let surface = asked.valid.request.options.surface
      let coordinator = try await coordinators.joined(surface, for: .user(call.peer.uid)).coordinator
      return (asked, coordinator, try await asked.ended(coordinator))
    } then: { (asked, coordinator, earlier) in
      coordinator.enter { coordinator in
        // Responds with the earlier presentation of the key.
        guard let earlier else {
          return HTTPAsker.ask(asked.valid, from: asked.requester, key: asked.key, mode: asked.mode, call, coordinator)
        }
        HTTPAsker(asked.mode, call.exchange, coordinator).replay(earlier)
      }
      return nil
    }
    return nil
  }

  /// A request decoded from its body and headers.
  private struct DecodedRequest: Sendable {
    let valid: ValidRequest
    let requester: Presentation.Requester
    let key: IdempotencyKey?
    let mode: HTTPAsker.Mode

    init(_ call: Call) throws {
      let prefer = try Prefer(call.request)
      let isStream = call.request.accepts(ServerSentEvent.contentType)
      let isDetached = prefer.isAsync || prefer.wait != nil
      var body = try PresentationRequest(accepted: try call.request.json())
      if let agent = body.agent { body.agent = call.peer.ancestor(knownAs: agent) }
      let valid = try ValidRequest(body)
      self.valid = valid
      let request = valid.request
      requester = Presentation.Requester(app: request.options.app ?? call.peer.callerName, process: call.peer)
      guard !isStream || !isDetached else {
        throw RouterError(.invalid, "cannot stream a detached request: leave out Prefer or the event stream")
      }
      mode = isStream ? .stream : prefer.wait.map { .waiting($0) } ?? (prefer.isAsync ? .detached : .attached)
      let keys = call.request.headers["idempotency-key"]
      guard keys.count <= 1 else { throw RouterError(.invalid, "cannot accept more than one Idempotency-Key header") }
      key = try keys.first.map { try IdempotencyKey($0, of: valid) }
    }

    func ended(_ coordinator: PresentationCoordinator) async throws -> Presentation? {
      guard let key else { return nil }
      return try await coordinator.ended(key, of: requester)
    }
  }

  /// `GET /v1/presentations`
  func list(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    var query = QueryParameters(call.request)
    let surface = try query.string("surface")
    let app = try query.string("app")
    let states: [Presentation.State] = try query.choices("state")
    let limit = try query.count("limit", 1...1000) ?? 100
    let cursor = try query.presentationID("cursor")
    let like = try query.presentationID("like").map { try find($0, call) }
    try query.finish()
    let open = coordinators.all.flatMap { keeper in
      keeper.coordinator.enter { coordinator in
        // One more shows that there is another page.
        coordinator.presentations(after: cursor, limit: limit + 1) {
          call.maySee($0) && (surface.map($0.request.surface.isSame(as:)) ?? true)
            && (app.map($0.requester.app.isSame(as:)) ?? true) && (states.isEmpty || states.contains($0.state))
            && (like?.mayAlsoAnswer($0) ?? true)
        }
      }
    }
    call.exchange.run {
      let page = OpenPage(open, limit: limit)
      return Response { writer in
        writer.add("presentations", texts: page.presentations)
        writer.add("next", optional: page.next?.description)
      }
    } then: {
      $0
    }
    return nil
  }

  private func find(_ id: PresentationID, _ call: Call) throws -> Presentation {
    let found = coordinators.all.lazy.compactMap { keeper in keeper.coordinator.enter { $0.openPresentation(id) } }.first
    guard let found, call.maySee(found) else { throw RouterError(.notOpen, id: id) }
    return found
  }

  /// `GET /v1/presentations/{id}`
  func get(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let wait = try Prefer(call.request).wait
    return try call.find(call.presentationID(), on: coordinator, where: call.maySee) { presentation, coordinator in
      guard let wait, presentation.state != .resolved else { return Response(json: presentation.jsonText) }
      self.wait(wait, for: presentation.id, call, coordinator)
      return nil
    }
  }

  /// Responds when a presentation has ended, or after a timeout.
  private func wait(
    _ time: Duration, for id: PresentationID, _ call: Call, _ coordinator: isolated PresentationCoordinator
  ) {
    let number = coordinator.nextNumber()
    let unwatch: @Sendable () -> Void = { [coordinator] in coordinator.enter { $0.unwatch(id, number) } }
    let timer = call.exchange.loop.scheduleTask(in: TimeAmount(time), unwatch)
    call.exchange.onDisconnect(unwatch)
    coordinator.watch(id, number) { [coordinator, exchange = call.exchange] result in
      timer.cancel()
      // If the presentation has ended, the caller may no longer see it.
      exchange.run {
        if case .success(let presentation) = result { presentation } else { try await coordinator.presentation(id) }
      } then: { presentation in
        guard call.maySee(presentation) else {
          throw RouterError(.notFound, "cannot find the prompt \(id)")
        }
        return Response(json: presentation.jsonText)
      }
    }
  }

  /// `PUT /v1/presentations/{id}/progress`
  func progress(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let id = try call.presentationID()
    return try call.decode(on: coordinator) {
      try PresentationProgress(reported: $0)
    } then: { progress, coordinator in
      try call.find(id, on: coordinator, where: call.owns) { presentation, coordinator in
        try coordinator.report(progress, of: presentation.id)
        return Response(.noContent)
      }
    }
  }

  /// `PUT /v1/presentations/{id}/ran`
  func ran(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let id = try call.presentationID()
    return try call.decode(on: coordinator) {
      try ActReport(reported: $0)
    } then: { report, coordinator in
      coordinator.report(report, of: id, by: call.peer) { [exchange = call.exchange] result in
        exchange.respond(result.map { Response(.noContent) }.mapError { $0 })
      }
      return nil
    }
  }
}
