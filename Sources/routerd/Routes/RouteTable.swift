import NIOCore
import NIOHTTP1
import OrderedCollections
import Router

/// All routes of the daemon. `OpenAPITests` checks the OpenAPI document against it.
struct RouteTable: Sendable {
  enum Handler: Sendable {
    /// Runs on the event loop and the coordinator. Without a response, it responds later.
    case now(@Sendable (Call, isolated PresentationCoordinator) throws -> Response?)
    /// Runs off the event loop, for slow or blocking work. Without a response, it has streamed one.
    case offLoop(@Sendable (Call) async throws -> Response?)
  }

  struct Route: Sendable {
    let method: HTTPMethod
    let path: String
    let access: AccessRule
    /// Whether the route accepts query parameters.
    var takesQuery = false
    /// Whether the page may call the route. Other routes are hidden from the page.
    var isForPage = false
    let handler: Handler

    init(
      _ method: HTTPMethod, _ path: String, _ access: AccessRule, takesQuery: Bool = false, isForPage: Bool = false,
      _ handler: Handler
    ) {
      self.method = method
      self.path = path
      self.access = access
      self.takesQuery = takesQuery
      self.isForPage = isForPage
      self.handler = handler
    }
  }

  /// A path with its routes, one per method.
  private struct Resource {
    /// The path before its parameter.
    let prefix: String
    /// The path after its parameter; `nil` if it has none.
    let suffix: String?
    let routes: [Route]

    init(_ path: String, _ routes: [Route]) {
      let parts = path.split(maxSplits: 2) { $0 == "{" || $0 == "}" }
      prefix = String(parts[0])
      suffix = parts.count == 1 ? nil : parts.count == 2 ? "" : String(parts[2])
      self.routes = routes
    }

    /// Returns the value of the path's parameter, or an empty one without a parameter; `nil` for another path.
    func match(_ path: String) -> Substring? {
      guard let suffix else { return path == prefix ? "" : nil }
      guard path.begins(with: prefix), path.ends(with: suffix) else { return nil }
      let parameter = path.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
      return parameter.isEmpty || parameter.contains(UInt8(ascii: "/")) ? nil : Substring(parameter)
    }
  }

  let routes: [Route]
  /// The resources. Those without a parameter come first, because they take precedence.
  private let resources: [Resource]
  /// The executor of handlers off the event loop.
  let worker: any TaskExecutor
  private let coordinators: Coordinators
  private let configuration: LiveConfiguration
  private let accessControl: AccessControl

  init(
    coordinators: Coordinators, configuration live: LiveConfiguration, worker: any TaskExecutor, links: WebLinks? = nil,
    names: UserNames, rulebook: Rulebook, journal: Journal? = nil
  ) {
    let coordinator = coordinators.local.coordinator
    self.worker = worker
    self.coordinators = coordinators
    configuration = live
    accessControl = AccessControl(coordinator: coordinator)
    let change = GuardedChange(accessControl: accessControl, coordinators: coordinators)
    let asking = PresentationRoutes(coordinators: coordinators, names: names)
    let grants = GrantRoutes(coordinators: coordinators)
    let rules = RuleRoutes(coordinators: coordinators, rulebook: rulebook, commands: live.current.grants.commands)
    let presenting = PresentingRoutes(coordinators: coordinators, change: change)
    let prompts = PromptRoutes(names: names)
    let web = WebRoutes(
      links: links, coordinator: coordinator, configuration: live, accessControl: accessControl, names: names)
    let log = LogRoutes(coordinators: coordinators)
    let operations = OperationRoutes(
      coordinators: coordinators, configuration: live.current, page: links?.address, journal: journal)
    let (asker, presenter, auditor) = (AccessRule.oneOf([.request]), AccessRule.oneOf([.present]), AccessRule.oneOf([.audit]))
    let (askerOrPresenter, admin) = (AccessRule.oneOf([.request, .present]), AccessRule.oneOf([.admin]))
    let askerPresenterOrAuditor = AccessRule.oneOf([.request, .present, .audit])
    let anyAsker = AccessRule.oneOf([.request, .ask])
    let acts = ActRoutes(change: change, grants: grants)
    let others = [
      Route(.POST, "/v1/presentations", anyAsker, .now { try asking.ask($0, $1) }),
      Route(.GET, "/v1/presentations", askerOrPresenter, takesQuery: true, isForPage: true, .now { try asking.list($0, $1) }),
      Route(.GET, "/v1/presentations/{id}", askerOrPresenter, .now { try asking.get($0, $1) }),
      Route(.PUT, "/v1/presentations/{id}/progress", asker, .now { try asking.progress($0, $1) }),
      Route(.PUT, "/v1/presentations/{id}/ran", asker, .now { try asking.ran($0, $1) }),
      Route(.DELETE, "/v1/presentations/{id}/pause", presenter, isForPage: true, .now { try presenting.resume($0, $1) }),
      Route(.GET, "/v1/presentations/{id}/prompt", presenter, isForPage: true, .now { try prompts.describe($0, $1) }),
      Route(.POST, "/v1/presentations/{id}/check", presenter, isForPage: true, .now { try prompts.check($0, $1) }),
      Route(.GET, "/v1/grants", askerPresenterOrAuditor, takesQuery: true, isForPage: true, .offLoop(grants.list)),
      Route(.GET, "/v1/grants/{id}", askerPresenterOrAuditor, .offLoop(grants.get)),
      Route(.DELETE, "/v1/grants/{id}", askerOrPresenter, isForPage: true, .offLoop(grants.revoke)),
      Route(.GET, "/v1/rules", auditor, isForPage: true, .offLoop(rules.list)),
      Route(.POST, "/v1/rules/decision", anyAsker, .offLoop(rules.decide)),
      Route(.GET, "/v1/switch", askerPresenterOrAuditor, isForPage: true, .now { try presenting.switched($0, $1) }),
      Route(.PUT, "/v1/switch", admin, .now { try presenting.turn($0, $1) }),
      Route(.GET, "/v1/surfaces", presenter, isForPage: true, .now { try presenting.surfaces($0, $1) }),
      Route(
        .GET, "/v1/surfaces/{surface}/stream", presenter, takesQuery: true, isForPage: true,
        .now { try presenting.stream($0, $1) }),
      Route(.GET, "/v1/log", auditor, takesQuery: true, isForPage: true, .offLoop(log.query)),
      Route(.GET, "/v1/log/events", auditor, takesQuery: true, .offLoop(log.queryEvents)),
      Route(.GET, "/v1/log/stats", auditor, takesQuery: true, isForPage: true, .offLoop(log.statistics)),
      Route(.GET, "/v1/log/stream", auditor, takesQuery: true, .offLoop(log.stream)),
      Route(.POST, "/v1/log/prune", admin, .offLoop(log.prune)),
      Route(.GET, "/v1/log/{id}", auditor, takesQuery: true, isForPage: true, .offLoop(log.events)),
      Route(.POST, "/v1/web/link", .oneOf([.present, .audit]), .offLoop(web.link)),
      Route(.GET, "/v1/status", admin, .offLoop(operations.status)),
      Route(.GET, "/metrics", admin, .offLoop(operations.metrics)),
      Route(.GET, "/healthz", .anyone, .now { try operations.health($0, $1) }),
      Route(.GET, "/openapi.json", .anyone, .now { try operations.openAPI($0, $1) }),
    ]
    routes = others + acts.routes(asker: asker, presenter: presenter)
    let byPath = OrderedDictionary(grouping: routes, by: \.path)
    resources =
      (byPath.filter { !$0.key.contains("{") } + byPath.filter { $0.key.contains("{") }).map { Resource($0.key, $0.value) }
  }

  /// Passes a request to its route. The page's requests can use only routes marked for the page.
  ///
  /// - Parameter narrow: Returns the roles that the peer's socket leaves it.
  func answer(
    _ request: Request, from peer: Peer, isForPage: Bool = false, narrow: (Set<Role>) -> Set<Role> = { $0 },
    on exchange: Exchange
  ) {
    let (candidates, parameter) = find(request.path, isForPage: isForPage)
    guard let route = candidates.first(where: { $0.method == request.method }) else {
      let methods = candidates.map(\.method)
      return exchange.respond(.success(methods.isEmpty ? Self.notFound(request) : Self.notAllowed(request, methods)))
    }
    var request = request
    // No handler reads this body, and some keep the call for as long as the connection is open.
    if route.method == .GET || route.method == .DELETE { request.body = ByteBuffer() }
    let call = Call(
      request: request, connected: peer, roles: narrow(configuration.roles(of: peer)), host: coordinators.host ?? "",
      parameter: String(parameter), exchange: exchange)
    answer(call, by: route)
  }

  /// Returns the routes of a path for all methods, and its parameter.
  private func find(_ path: String, isForPage: Bool) -> (routes: [Route], parameter: Substring) {
    for resource in resources {
      guard let parameter = resource.match(path) else { continue }
      return (isForPage ? resource.routes.filter(\.isForPage) : resource.routes, parameter)
    }
    // Ignores empty components.
    let plain = "/" + path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.joined(separator: "/")
    return plain == path ? ([], "") : find(plain, isForPage: isForPage)
  }

  private func answer(_ call: Call, by route: Route) {
    do {
      try accessControl.check(route.access, call)
      if !route.takesQuery { try QueryParameters(call.request).finish() }
      switch route.handler {
      case .now(let handler):
        guard let coordinator = coordinator(for: route, call) else {
          return call.exchange.run {
            try await self.coordinatorLater(for: route, call)
          } then: { coordinator in
            try coordinator.enter { try handler(call, $0) }
          }
        }
        let response = try coordinator.enter { try handler(call, $0) }
        if let response { call.exchange.respond(.success(response)) }
      case .offLoop(let handler):
        call.exchange.run {
          try await handler(call)
        } then: {
          $0
        }
      }
    } catch {
      call.exchange.respond(.failure(error))
    }
  }

  /// Returns the coordinator of the surface or the open presentation in the path, by default this machine's; `nil` if finding
  /// it would block.
  private func coordinator(for route: Route, _ call: Call) -> PresentationCoordinator? {
    guard coordinators.host != nil else { return coordinators.local.coordinator }
    if route.path.contains("{surface}") { return coordinators.keeper(of: call.parameter)?.coordinator }
    guard route.path.contains("{id}"), let id = PresentationID(call.parameter) else { return coordinators.local.coordinator }
    return coordinators.holder(of: id)
  }

  private func coordinatorLater(for route: Route, _ call: Call) async throws -> PresentationCoordinator {
    if route.path.contains("{surface}") {
      return try await coordinators.joined(call.parameter, for: .user(call.peer.uid)).coordinator
    }
    return try await coordinators.keeper(of: call.presentationID()).coordinator
  }

  private static func notFound(_ request: Request) -> Response {
    Response(.notFound, problem: "cannot find \(request.method) \(request.path.shortened)")
  }

  /// The response for an unsupported method (RFC 9110, section 15.5.6).
  private static func notAllowed(_ request: Request, _ methods: [HTTPMethod]) -> Response {
    let allowed = methods.map(\.rawValue).joined(separator: ", ")
    var response = Response(
      .methodNotAllowed,
      problem: "cannot \(request.method.rawValue.shortened) \(request.path.shortened): it takes \(allowed)")
    response.headers.add(name: "Allow", value: allowed)
    return response
  }
}
