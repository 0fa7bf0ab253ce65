import Foundation
import Logging
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

@testable import routerd

/// Every route against every role, with real processes of other users.
/// Promise P35.
@Suite(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"), .timeLimit(.minutes(10)))
struct RoleTableTests {
  /// The roles of each route, as openapi.json has them; an administrator may call all of them.
  private static func table() throws -> [String: Set<Role>] {
    var table: [String: Set<Role>] = [:]
    let document = try JSONValue(parsing: OpenAPI.written)
    for (path, operations) in try #require(document["paths"]?.object) {
      for (method, operation) in try #require(operations.object) where method != "parameters" {
        let roles = operation["x-roles"].map { $0.array?.compactMap { $0.string.flatMap(Role.init) } ?? [] }
        table["\(method.uppercased()) \(path)"] = Set(roles ?? Role.allCases).subtracting(roles == nil ? [] : [.admin])
      }
    }
    return table
  }

  static let users: [(user: OtherUser, role: Role?)] = [
    (OtherUser(uid: 60010), nil), (OtherUser(uid: 60011), .request), (OtherUser(uid: 60012), .present),
    // By a supplementary group, and by the group itself.
    (OtherUser(uid: 60013, groups: [60003, 60023]), .audit), (OtherUser(uid: 60014, gid: 60024), .admin),
    (OtherUser(uid: 60015), .ask),
  ]

  static let environment = [
    "ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_REQUEST": "self,60011", "ROUTERD_ACCESS_ASK": "self,60015",
    "ROUTERD_ACCESS_PRESENT": "self,60012",
    "ROUTERD_ACCESS_AUDIT": "self,group:60023", "ROUTERD_ACCESS_ADMIN": "self,group:60024",
  ]

  /// Returns the daemon's routes.
  static func routes() async throws -> [RouteTable.Route] {
    let log = try AuditLog.inMemory()
    let coordinator = try await PresentationCoordinator(log: log)
    defer { Task { await coordinator.shutDown() } }
    let configuration = LiveConfiguration(DaemonConfiguration(socket: "", database: ""))
    let (local, worker) = (Coordinators.Keeper(coordinator, log, try AuditReader(log)), try ThreadExecutor())
    let names = try UserNames()
    return RouteTable(
      coordinators: Coordinators(local), configuration: configuration, worker: worker, names: names,
      rulebook: Rulebook(configuration.current, local: local, names: names, worker: worker, logger: Logger(label: "test"))
    ).routes
  }

  @Test func `admits to each route only the roles of openapi.json, and records refusals`() async throws {
    let (routes, table) = (try await Self.routes(), try Self.table())
    try await TestDaemon.run(environment: Self.environment) { daemon in
      var denied: [String] = []
      for route in routes {
        let name = "\(route.method) \(route.path)"
        let allowed = try #require(table[name], "\(name) is not in openapi.json")
        let path = route.path.replacing("{id}", with: "01a1fdb6-ea24-7114-b4fd-98d4271e7c7c")
          .replacing("{surface}", with: "main")
        for (user, role) in Self.users {
          let isOpen = allowed == Set(Role.allCases)
          let mayCall = isOpen || role == .admin || role.map(allowed.contains) == true
          let status = try await user.status(daemon, "\(route.method)", path)
          if mayCall {
            // The request is nonsense, but it passes the role check.
            #expect([200, 400, 404].contains(status), "\(name) as \(role?.rawValue ?? "nobody"): \(status ?? 0)")
          } else {
            #expect(status == 403, "\(name) as \(role?.rawValue ?? "nobody")")
            denied.append("\(user.uid) \(route.method) \(path)")
          }
        }
      }
      #expect(try await self.denied(daemon, count: denied.count) == denied)
      #expect(try await daemon.client.presentations().isEmpty)
    }
  }

  @Test func `lets a caller of the socket for asking only ask, with any roles`() async throws {
    let (routes, table) = (try await Self.routes(), try Self.table())
    let directory = try TemporaryDirectory()
    let environment = Self.environment.merging(["ROUTERD_ASK_SOCKET": directory.file("ask/s")]) { $1 }
    try await TestDaemon.run(environment: environment) { daemon in
      let id = try await daemon.client.detach(.alert("Another program's?")).id
      for route in routes {
        let name = "\(route.method) \(route.path)"
        let path = route.path.replacing("{id}", with: "\(id)").replacing("{surface}", with: "main")
        // Users with all roles, with `request`, and with none.
        for user in [OtherUser(uid: getuid()), Self.users[4].user, Self.users[1].user, Self.users[0].user] {
          let isOpen = try #require(table[name]) == Set(Role.allCases)
          let mayAsk = table[name]?.contains(.ask) == true && user.uid != Self.users[0].user.uid
          let status = try await user.status(daemon, "\(route.method)", path, socket: directory.file("ask/s"))
          if isOpen || mayAsk {
            #expect([200, 400].contains(status), "\(name) as \(user.uid): \(status ?? 0)")
          } else {
            #expect(status == 403, "\(name) as \(user.uid): \(status ?? 0)")
          }
        }
      }
      #expect(try await daemon.client.presentation(id).state != .resolved)
      // Asking with the priority `critical` needs another role, which the user has on the other socket.
      let body = #"{"kind":"alert","title":"Now?","priority":"critical"}"#
      let own = OtherUser(uid: getuid())
      #expect(try await own.status(daemon, "POST", "/v1/presentations", body: body, socket: directory.file("ask/s")) == 403)
      let reply = try await own.call(daemon, "POST", "/v1/presentations", body: body, headers: ["Prefer: respond-async"])
      #expect(reply.status == 202)
    }
  }

  /// Waits for a number of recorded refusals and returns them.
  private func denied(_ daemon: TestDaemon, count: Int) async throws -> [String] {
    let reader = try AuditReader(path: daemon.database)
    var events: [AuditEvent] = []
    try await daemon.eventually("\(count) refusals are recorded") {
      events = try await reader.events(after: 0).filter { $0.kind == .accessDenied }
      return events.count >= count
    }
    return events.map { event in
      let uid = event.detail["by"]?["uid"].map { "\($0)" } ?? ""
      return "\(uid) \(event.detail["what"]?.string ?? "")"
    }
  }

  @Test func `names the required role in a refusal`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let reply = try await Self.users[1].user.call(daemon, "GET", "/v1/log?limit=1")
      #expect(reply.status == 403)
      let problem = try Problem(json: reply.json)
      #expect(problem.detail == "cannot allow uid 60011: GET /v1/log needs the role audit")
      let list = try await Self.users[3].user.call(daemon, "GET", "/v1/presentations")
      #expect(try Problem(json: list.json).detail.hasSuffix("needs the role request or present"))
    }
  }

  @Test func `refuses connections of other users by default`() async throws {
    try await TestDaemon.run { daemon in
      let curl = try OtherUser(uid: 60010).start(daemon, "GET", "/healthz")
      await curl.expectExit(7)
    }
  }

  @Test func `limits the recorded refusals in a flood`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let count = DenialBudget.burst + 50
      let url = "http://routerd/v1/log"
      let calls = Array(repeating: [url], count: count).joined()
      let curl = try ChildProcess(
        "/usr/bin/setpriv",
        ["--reuid", "60010", "--regid", "60010", "--clear-groups", "/usr/bin/curl", "-sS", "--unix-socket", daemon.socket]
          + calls)
      await curl.expectExit()
      _ = try await self.denied(daemon, count: DenialBudget.burst)
      let events = try await AuditReader(path: daemon.database).events(after: 0).filter { $0.kind == .accessDenied }
      // The budget grows by one per second.
      #expect(events.count < count)
    }
  }
}
