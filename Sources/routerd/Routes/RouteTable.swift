import HTTPTypes
import Hummingbird
import Router

/// What the daemon serves, in one list: the OpenAPI description is held to it by a test.
struct RouteTable: Sendable {
  typealias Handler = @Sendable (Request, PeerContext) async throws -> Response

  struct Route: Sendable {
    let method: HTTPRequest.Method
    let path: String
    /// Who may call it.
    let access: AccessRule
    /// Whether it takes parameters in the query; where it does not, any is refused.
    var takesQuery = false
    let handler: Handler
  }

  let routes: [Route]

  private let accessControl: AccessControl
  private let bodyBytes: Int

  init(coordinator: PresentationCoordinator, reader: AuditReader, configuration live: LiveConfiguration) {
    let configuration = live.current
    accessControl = AccessControl(coordinator: coordinator, configuration: live)
    bodyBytes = configuration.bodyBytes
    let asking = PresentationRoutes(coordinator: coordinator, bodyBytes: bodyBytes)
    let presenting = PresentingRoutes(coordinator: coordinator, accessControl: accessControl, bodyBytes: bodyBytes)
    let log = LogRoutes(reader: reader)
    let operations = OperationRoutes(coordinator: coordinator, reader: reader, configuration: configuration)
    let (asker, presenter, auditor) = (AccessRule.oneOf([.request]), AccessRule.oneOf([.present]), AccessRule.oneOf([.audit]))
    routes = [
      Route(method: .post, path: "/v1/presentations", access: asker, handler: asking.ask),
      Route(
        method: .get, path: "/v1/presentations", access: .oneOf([.request, .present]), takesQuery: true,
        handler: asking.list),
      Route(method: .get, path: "/v1/presentations/{id}", access: .oneOf([.request, .present]), handler: asking.get),
      Route(method: .delete, path: "/v1/presentations/{id}", access: asker, handler: asking.cancel),
      Route(method: .post, path: "/v1/presentations/{id}/finish", access: asker, handler: asking.finish),
      Route(method: .post, path: "/v1/presentations/{id}/answer", access: presenter, handler: presenting.answer),
      Route(method: .post, path: "/v1/presentations/{id}/dismiss", access: presenter, handler: presenting.dismiss),
      Route(method: .post, path: "/v1/presentations/{id}/fail", access: presenter, handler: presenting.fail),
      Route(method: .get, path: "/v1/surfaces", access: presenter, handler: presenting.surfaces),
      Route(
        method: .get, path: "/v1/surfaces/{surface}/stream", access: presenter, takesQuery: true,
        handler: presenting.stream),
      Route(method: .get, path: "/v1/log", access: auditor, takesQuery: true, handler: log.query),
      Route(method: .get, path: "/v1/log/{id}", access: auditor, handler: log.events),
      Route(method: .get, path: "/v1/status", access: .oneOf([.admin]), handler: operations.status),
      Route(method: .get, path: "/healthz", access: .anyone, handler: operations.health),
      Route(method: .get, path: "/openapi.json", access: .anyone, handler: operations.openAPI),
    ]
  }

  /// The methods that a path has; none where nothing is served.
  func methods(for path: String) -> [HTTPRequest.Method] {
    let components = path.split(separator: "/")
    return routes.filter { route in
      let template = route.path.split(separator: "/")
      return template.count == components.count
        && zip(template, components).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
    }.map(\.method)
  }

  /// The responder of all routes.
  func responder() -> some HTTPResponder<PeerContext> {
    let router = Hummingbird.Router(context: PeerContext.self)
    router.add(middleware: ProblemMiddleware(bodyBytes: bodyBytes, methods: methods(for:)))
    for route in routes {
      router.on(RouterPath(route.path), method: route.method) { [accessControl] request, context in
        try accessControl.check(route.access, request, context)
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
