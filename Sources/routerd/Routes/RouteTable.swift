import HTTPTypes
import Hummingbird
import Router

/// What the daemon serves, in one list: the OpenAPI description is held to it by a test.
struct RouteTable: Sendable {
  typealias Handler = @Sendable (Request, PeerContext) async throws -> Response

  struct Route: Sendable {
    let method: HTTPRequest.Method
    let path: String
    /// Whether it takes parameters in the query; where it does not, any is refused.
    var takesQuery = false
    let handler: Handler
  }

  let routes: [Route]

  init(coordinator: PresentationCoordinator, reader: AuditReader, configuration: DaemonConfiguration) {
    let asking = PresentationRoutes(coordinator: coordinator, bodyBytes: configuration.bodyBytes)
    let presenting = PresentingRoutes(coordinator: coordinator, bodyBytes: configuration.bodyBytes)
    let log = LogRoutes(reader: reader)
    let operations = OperationRoutes(coordinator: coordinator, reader: reader, configuration: configuration)
    routes = [
      Route(method: .post, path: "/v1/presentations", handler: asking.ask),
      Route(method: .get, path: "/v1/presentations", takesQuery: true, handler: asking.list),
      Route(method: .get, path: "/v1/presentations/{id}", handler: asking.get),
      Route(method: .delete, path: "/v1/presentations/{id}", handler: asking.cancel),
      Route(method: .post, path: "/v1/presentations/{id}/finish", handler: asking.finish),
      Route(method: .post, path: "/v1/presentations/{id}/answer", handler: presenting.answer),
      Route(method: .post, path: "/v1/presentations/{id}/dismiss", handler: presenting.dismiss),
      Route(method: .post, path: "/v1/presentations/{id}/fail", handler: presenting.fail),
      Route(method: .get, path: "/v1/surfaces", handler: presenting.surfaces),
      Route(method: .get, path: "/v1/surfaces/{surface}/stream", takesQuery: true, handler: presenting.stream),
      Route(method: .get, path: "/v1/log", takesQuery: true, handler: log.query),
      Route(method: .get, path: "/v1/log/{id}", handler: log.events),
      Route(method: .get, path: "/v1/status", handler: operations.status),
      Route(method: .get, path: "/healthz", handler: operations.health),
      Route(method: .get, path: "/openapi.json", handler: operations.openAPI),
    ]
  }

  /// The responder of all routes.
  func responder(_ coordinator: PresentationCoordinator, bodyBytes: Int) -> some HTTPResponder<PeerContext> {
    let router = Hummingbird.Router(context: PeerContext.self)
    router.add(middleware: ProblemMiddleware(coordinator: coordinator, bodyBytes: bodyBytes))
    for route in routes {
      router.on(RouterPath(route.path), method: route.method) { request, context in
        if !route.takesQuery { try QueryParameters(request).finish() }
        return try await route.handler(request, context)
      }
    }
    return router.buildResponder()
  }
}

extension PeerContext {
  /// The id in the path.
  ///
  /// - Throws: ``RouterError`` with `notFound` for what cannot be an id.
  func presentationID() throws -> PresentationID {
    let text = parameters.get("id") ?? ""
    guard let id = PresentationID(text) else {
      throw RouterError(.notFound, "cannot find the presentation \(text.prefix(64)): that is not an id")
    }
    return id
  }
}
