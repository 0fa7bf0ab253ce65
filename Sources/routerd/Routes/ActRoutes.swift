import NIOHTTP1
import Router

/// The routes that act on an open presentation, one for each verb with a call.
struct ActRoutes: Sendable {
  let change: GuardedChange
  let grants: GrantRoutes

  func routes(asker: AccessRule, presenter: AccessRule) -> [RouteTable.Route] {
    [
      route(Verbs.Answer.self, presenter, isForPage: true, mayBeSecret: true) { try answer($0, $1, $2) },
      route(Verbs.Dismiss.self, presenter, isForPage: true) { try present($0, $1, $2) },
      route(Verbs.Snooze.self, presenter, isForPage: true) { try present($0, $1, $2) },
      route(Verbs.Wake.self, presenter, isForPage: true) { try present($0, $1, $2) },
      route(Verbs.Raise.self, presenter, isForPage: true) { try present($0, $1, $2) },
      route(Verbs.PauseSession.self, presenter, isForPage: true) { try present($0, $1, $2) },
      route(Verbs.Fail.self, presenter) { try present($0, $1, $2) },
      route(Verbs.Cancel.self, asker) { try withdraw($0, $1, $2) },
      route(Verbs.Finish.self, asker) { try withdraw($0, $1, $2) },
    ]
  }

  private typealias Act<Kind: Verb> = @Sendable (ActBody<Kind>, Call, isolated PresentationCoordinator) throws -> Response?

  /// - Parameter mayBeSecret: Whether the body may contain a sensitive answer, which must leave no trace.
  private func route<Kind: Verb>(
    _ kind: Kind.Type, _ access: AccessRule, isForPage: Bool = false, mayBeSecret: Bool = false, _ act: @escaping Act<Kind>
  ) -> RouteTable.Route {
    guard let verbCall = kind.call else { preconditionFailure("\(kind) has no call") }
    let method: HTTPMethod = if case .delete = verbCall { .DELETE } else { .POST }
    return RouteTable.Route(
      method, verbCall.path("/v1/presentations/{id}"), access, isForPage: isForPage,
      .now { call, coordinator in
        let id = try call.presentationID()
        // Also for a presentation that this coordinator does not know.
        let isSecret = mayBeSecret && coordinator.openPresentation(id)?.request.sensitive ?? true
        if isSecret { call.exchange.wipeStackSoon() }
        return try call.decode(isOptional: true, on: coordinator) { json in
          let body = try ActBody<Kind>(json: json)
          try body.verb.checkTexts()
          return body
        } then: { body, coordinator in
          // A large body is decoded in another turn.
          if isSecret { call.exchange.wipeStackSoon() }
          return try act(body, call, coordinator)
        }
      })
  }

  /// Acts on behalf of a person.
  private func present<Kind: Verb>(
    _ body: ActBody<Kind>, _ call: Call, _ coordinator: isolated PresentationCoordinator
  ) throws -> Response? {
    let id = try call.presentationID()
    if Kind.countsAsAttachment { try coordinator.countAttachment(by: call.peer) }
    let by = coordinator.resolver(for: call.peer, on: id)
    change(id, call, on: coordinator) { .change($0, body.verb, generation: body.generation, by: by) }
    return nil
  }

  /// Acts on behalf of the requester. Other users must not learn the outcome.
  private func withdraw<Kind: Verb>(
    _ body: ActBody<Kind>, _ call: Call, _ coordinator: isolated PresentationCoordinator
  ) throws -> Response? {
    try call.find(call.presentationID(), on: coordinator, where: call.owns) { presentation, coordinator in
      let by = Presentation.Responder(process: call.peer)
      change(presentation.id, call, on: coordinator) {
        .change($0, body.verb, generation: body.generation, by: by, isAdmin: call.isAdmin)
      }
      return nil
    }
  }

  private func answer(
    _ body: ActBody<Verbs.Answer>, _ call: Call, _ coordinator: isolated PresentationCoordinator
  ) throws -> Response? {
    let (id, extra) = (try call.presentationID(), body.verb.extra)
    if extra.remember != nil { try grants.check(call, coordinator) }
    guard !extra.also.isEmpty else { return try present(body, call, coordinator) }
    // Includes the result for each of the other presentations.
    let by = coordinator.resolver(for: call.peer, on: id)
    change(id, call, on: coordinator) {
      .change($0, body.verb, generation: body.generation, by: by)
    } encode: { presentation, respond in
      coordinator.send { coordinator in
        coordinator.fates(of: Array(extra.also.keys), with: presentation.id) { fates in
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
}
