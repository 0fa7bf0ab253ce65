import HTTPTypes
import Hummingbird
import Router

/// What the daemon serves, in one list: `OpenAPITests` compares the OpenAPI document with it.
struct RouteTable: Sendable {
  typealias Handler = @Sendable (Request, PeerContext) async throws -> Response

  struct Route: Sendable {
    let method: HTTPRequest.Method
    let path: String
    /// Who may call it.
    let access: AccessRule
    /// Whether it takes parameters in the query; where it does not, any is refused.
    var takesQuery = false
    /// Whether the page calls it; what it does not call is not there for it.
    var isForPage = false
    let handler: Handler
  }

  let routes: [Route]

  private let accessControl: AccessControl
  private let bodyBytes: Int

  init(
    coordinator: PresentationCoordinator, log: AuditLog, reader: AuditReader, configuration live: LiveConfiguration,
    links: WebLinks? = nil
  ) {
    let configuration = live.current
    accessControl = AccessControl(coordinator: coordinator, configuration: live)
    bodyBytes = configuration.bodyBytes
    let asking = PresentationRoutes(coordinator: coordinator, bodyBytes: bodyBytes)
    let presenting = PresentingRoutes(coordinator: coordinator, accessControl: accessControl, bodyBytes: bodyBytes)
    let prompts = PromptRoutes(coordinator: coordinator, bodyBytes: bodyBytes)
    let web = WebRoutes(links: links)
    let log = LogRoutes(log: log, reader: reader, bodyBytes: bodyBytes)
    let operations = OperationRoutes(coordinator: coordinator, reader: reader, configuration: configuration)
    let (asker, presenter, auditor) = (AccessRule.oneOf([.request]), AccessRule.oneOf([.present]), AccessRule.oneOf([.audit]))
    routes = [
      Route(method: .post, path: "/v1/presentations", access: asker, handler: asking.ask),
      Route(
        method: .get, path: "/v1/presentations", access: .oneOf([.request, .present]), takesQuery: true,
        isForPage: true, handler: asking.list),
      Route(method: .get, path: "/v1/presentations/{id}", access: .oneOf([.request, .present]), handler: asking.get),
      Route(method: .delete, path: "/v1/presentations/{id}", access: asker, handler: asking.cancel),
      Route(method: .post, path: "/v1/presentations/{id}/finish", access: asker, handler: asking.finish),
      Route(
        method: .post, path: "/v1/presentations/{id}/answer", access: presenter, isForPage: true, handler: presenting.answer),
      Route(
        method: .post, path: "/v1/presentations/{id}/dismiss", access: presenter, isForPage: true, handler: presenting.dismiss),
      Route(method: .post, path: "/v1/presentations/{id}/fail", access: presenter, handler: presenting.fail),
      Route(
        method: .get, path: "/v1/presentations/{id}/prompt", access: presenter, isForPage: true, handler: prompts.describe),
      Route(method: .post, path: "/v1/presentations/{id}/check", access: presenter, isForPage: true, handler: prompts.check),
      Route(method: .get, path: "/v1/surfaces", access: presenter, isForPage: true, handler: presenting.surfaces),
      Route(
        method: .get, path: "/v1/surfaces/{surface}/stream", access: presenter, takesQuery: true,
        isForPage: true, handler: presenting.stream),
      Route(method: .get, path: "/v1/log", access: auditor, takesQuery: true, isForPage: true, handler: log.query),
      Route(method: .get, path: "/v1/log/events", access: auditor, takesQuery: true, handler: log.queryEvents),
      Route(
        method: .get, path: "/v1/log/stats", access: auditor, takesQuery: true, isForPage: true, handler: log.statistics),
      Route(method: .get, path: "/v1/log/stream", access: auditor, takesQuery: true, handler: log.stream),
      Route(method: .post, path: "/v1/log/prune", access: .oneOf([.admin]), handler: log.prune),
      Route(method: .get, path: "/v1/log/{id}", access: auditor, isForPage: true, handler: log.events),
      Route(method: .post, path: "/v1/web/link", access: .oneOf([.present, .audit]), handler: web.link),
      Route(method: .get, path: "/v1/status", access: .oneOf([.admin]), handler: operations.status),
      Route(method: .get, path: "/metrics", access: .oneOf([.admin]), handler: operations.metrics),
      Route(method: .get, path: "/healthz", access: .anyone, handler: operations.health),
      Route(method: .get, path: "/openapi.json", access: .anyone, handler: operations.openAPI),
    ]
  }

  /// The methods that a path has; none where nothing is served. A path of its own is not one of an id.
  func methods(for path: String, isForPage: Bool = false) -> [HTTPRequest.Method] {
    let components = path.split(separator: "/")
    let fitting = routes.filter { route in
      let template = route.path.split(separator: "/")
      return (!isForPage || route.isForPage) && template.count == components.count
        && zip(template, components).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
    }
    let own = fitting.filter { $0.path == path }
    return (own.isEmpty ? fitting : own).map(\.method)
  }

  /// The responder of all routes, or of those that the page calls.
  func responder(isForPage: Bool = false) -> some HTTPResponder<PeerContext> {
    let router = Hummingbird.Router(context: PeerContext.self)
    router.add(middleware: ProblemMiddleware { methods(for: $0, isForPage: isForPage) })
    for route in routes where !isForPage || route.isForPage {
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
