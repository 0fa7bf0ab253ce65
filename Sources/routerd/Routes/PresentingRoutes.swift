import NIOHTTP1
import Router

/// The routes for presenters besides ``ActRoutes``.
struct PresentingRoutes: Sendable {
  let coordinators: Coordinators
  let change: GuardedChange

  /// `DELETE /v1/presentations/{id}/pause`
  func resume(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let id = try call.presentationID()
    coordinator.endPause(id, by: coordinator.resolver(for: call.peer, on: id)) { [change] result in
      change.respond(to: call, result.map { Response(.noContent) }, on: nil)
    }
    return nil
  }

  /// `GET /v1/switch`
  func switched(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    Response(coordinator.switched)
  }

  /// `PUT /v1/switch`
  func turn(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    let body = try SwitchBody(json: try call.request.json())
    coordinator.turn(off: body.isOff, for: body.duration, by: Presentation.Responder(process: call.peer)) {
      [change, coordinator] result in
      change.respond(to: call, result.map { Response(coordinator.enter { $0.switched }) }, on: nil)
    }
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
