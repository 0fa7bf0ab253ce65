import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Where the suite runs: with the in-process coordinator, with a real daemon, and with two that share their surfaces.
/// Requesters and presenters cannot tell the difference.
///
/// Starting daemons takes longer than most tests, so that the tests share them. Each test has its own surfaces.
enum Place: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case inProcess, daemon
  #if PostgreSQL
  case shared
  #endif

  var testDescription: String { rawValue }

  /// Runs a body with a broker in its environment.
  ///
  /// - Parameters:
  ///   - alone: Whether to start separate daemons, for a test that stops or kills them.
  ///   - perSurface: The limit of open presentations per surface. It needs separate daemons.
  func run(alone: Bool = false, perSurface: Int? = nil, _ body: (any Host) async throws -> Void) async throws {
    let isAlone = alone || perSurface != nil
    let perSurface = perSurface ?? 10_000
    let environment = ["ROUTERD_LIMITS_PER_SURFACE": "\(perSurface)"]
    switch self {
    case .inProcess:
      let directory = FileManager.default.temporaryDirectory.appending(path: "router-\(UUID().uuidString.prefix(8))").path
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let host = try await InProcessHost(directory: directory, database: "log.db", perSurface: perSurface)
      try await withEnvironment(\.presentationBroker, host.broker) { try await body(host) }
      await host.coordinator.shutDown()
    case .daemon where isAlone:
      try await TestDaemon.run(environment: environment) { daemon in
        let host = try DaemonHost(daemon)
        try await withEnvironment(\.presentationBroker, host.broker) { try await body(host) }
      }
    case .daemon:
      let host = try DaemonHost(try await TestDaemon.common, TestSurfaces())
      try await withEnvironment(\.presentationBroker, host.broker) { try await body(host) }
    #if PostgreSQL
    case .shared:
      func run(_ daemons: SharedDaemons, _ surfaces: TestSurfaces) async throws {
        let host = try await SharedHost(daemons, surfaces)
        try await withEnvironment(\.presentationBroker, host.broker) { try await body(host) }
        try await host.expectOneRecord()
      }
      if isAlone {
        try await SharedDaemons.run(environment: environment) { try await run($0, .named) }
      } else {
        let (daemons, surfaces) = (try await SharedDaemons.common, TestSurfaces())
        for host in ["alpha", "beta"] { try await daemons.join(surfaces["main"], on: host) }
        try await run(daemons, surfaces)
      }
    #endif
    }
  }
}

extension [Place] {
  /// Leaves out shared surfaces, where a promise cannot hold.
  func unshared(because reason: String) -> [Place] {
    #if PostgreSQL
    filter { $0 != .shared }
    #else
    self
    #endif
  }
}

/// A broker, its log, and the operations that tests perform on it.
protocol Host: Sendable {
  var broker: any PresentationBroker { get }
  /// The surfaces of the test.
  var surfaces: TestSurfaces { get }
  /// A reader of the log while the broker writes it. Other tests may write it, too.
  var reader: AuditReader { get }

  /// Attaches a presenter that shows only some prompts of `main`.
  func attach(_ name: String, _ scope: PresenterScope) -> PresenterAttachment
  /// Submits a request that outlives its requester.
  func detach(_ request: PresentationRequest) async throws -> Presentation
  /// Cancels a presentation as its requester.
  func withdraw(_ id: PresentationID) async throws
  /// Shows a waiting presentation now.
  func raise(_ id: PresentationID) async throws -> Presentation
  /// Lets the prompts of a presentation's session wait.
  func pauseSession(of id: PresentationID, for duration: Duration) async throws
  /// Ends the pause made at a presentation.
  func endPause(_ id: PresentationID) async throws
  /// The pauses in force on `main`.
  func pauses() async throws -> [SessionPause]
  /// Ends a snooze.
  func wake(_ id: PresentationID) async throws -> Presentation
  /// Reports the result of an approved act, as its requester.
  func report(_ report: ActReport, of id: PresentationID) async throws
  /// Returns the open presentations of `main` in queue order.
  func open() async throws -> [Presentation]
  /// Waits until a condition on the ``reader`` holds.
  func eventually(_ condition: String, _ isMet: () async throws -> Bool) async throws
  /// Waits until a condition on what requesters are told holds.
  func eventuallyTold(_ condition: String, _ isMet: () async throws -> Bool) async throws
  /// Shuts down cleanly, and waits for it.
  func stop() async throws
  /// Kills the broker as `kill -9` does, and starts another on the same log.
  func killAndRestart() async throws -> any Host
}

extension Host {
  /// A query of the log that returns what is on `main`.
  var query: AuditQuery {
    var query = AuditQuery()
    query.surfaces = [surfaces["main"]]
    return query
  }

  /// Returns the recorded events of the presentations on `main`, oldest first. On a busy machine, a query may miss the last.
  func events() async throws -> [AuditEvent] {
    var (found, ids, last): ([AuditEvent], Set<PresentationID>, Int64) = ([], [], 0)
    while case let page = try await reader.events(after: last), let next = page.last?.seq {
      for event in page {
        guard let id = event.presentation else { continue }
        let surface = event.detail["request"]?["surface"]?.string ?? "main"
        if event.kind == .requested, surface == surfaces["main"] { ids.insert(id) }
        if ids.contains(id) { found.append(event) }
      }
      last = next
    }
    return found
  }

  func eventuallyTold(_ condition: String, _ isMet: () async throws -> Bool) async throws {
    try await eventually(condition, isMet)
  }
}

/// The in-process coordinator.
struct InProcessHost: Host {
  let coordinator: PresentationCoordinator
  let reader: AuditReader
  let surfaces = TestSurfaces.named
  private let log: AuditLog
  private let directory: String
  private let database: String

  var broker: any PresentationBroker { coordinator }

  init(directory: String, database: String, perSurface: Int = 10_000) async throws {
    log = try AuditLog(path: directory + "/" + database)
    let policy = PresentationSurfaces.Policy(
      limits: Presentation.Limits(perSurface: perSurface), grants: GrantPolicy(longest: .seconds(3600)))
    coordinator = try await PresentationCoordinator(log: log, clock: .system, policy: policy, app: "tests", boot: "tests")
    reader = try AuditReader(log)
    self.directory = directory
    self.database = database
  }

  func detach(_ request: PresentationRequest) async throws -> Presentation {
    try await coordinator.ask(request, from: Presentation.Requester(app: "tests", process: .current), attached: false)
      .accepted()
  }

  func withdraw(_ id: PresentationID) async throws {
    _ = try await coordinator.change(id) { .change($0, Verbs.Cancel(), by: Presentation.Responder(process: .current)) }
  }

  func attach(_ name: String, _ scope: PresenterScope) -> PresenterAttachment {
    coordinator.attach(presenter: name, to: "main", scope)
  }

  func raise(_ id: PresentationID) async throws -> Presentation {
    try await coordinator.change(id) { .change($0, Verbs.Raise(), by: Presentation.Responder(process: .current)) }
  }

  func pauseSession(of id: PresentationID, for duration: Duration) async throws {
    _ = try await coordinator.change(id) {
      .change($0, Verbs.PauseSession(for: duration), by: Presentation.Responder(process: .current))
    }
  }

  func endPause(_ id: PresentationID) async throws {
    try await withCheckedThrowingContinuation { continuation in
      coordinator.send {
        $0.endPause(id, by: Presentation.Responder(process: .current)) { continuation.resume(with: $0.mapError { $0 }) }
      }
    }
  }

  func pauses() async throws -> [SessionPause] { await coordinator.pauses }

  func wake(_ id: PresentationID) async throws -> Presentation {
    try await coordinator.change(id) { .change($0, Verbs.Wake(), by: Presentation.Responder(process: .current)) }
  }

  func report(_ report: ActReport, of id: PresentationID) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      coordinator.send { $0.report(report, of: id, by: .current) { continuation.resume(with: $0.mapError { $0 }) } }
    }
  }

  func open() async throws -> [Presentation] { await coordinator.presentations() }

  func eventually(_ condition: String, _ isMet: () async throws -> Bool) async throws {
    try await log.eventually(condition, isMet)
  }

  func stop() async throws { await coordinator.shutDown() }

  /// Starts the next coordinator on a copy of the current files; this one keeps running on its own.
  func killAndRestart() async throws -> any Host {
    let copy = "next-" + database
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: directory + "/" + database + suffix, toPath: directory + "/" + copy + suffix)
    }
    return try await InProcessHost(directory: directory, database: copy)
  }
}

/// A real routerd.
struct DaemonHost: Host {
  let daemon: TestDaemon
  let surfaces: TestSurfaces
  let reader: AuditReader
  private let client: RouterClient

  var broker: any PresentationBroker { SurfaceBroker(broker: client, surfaces: surfaces) }

  init(_ daemon: TestDaemon, _ surfaces: TestSurfaces = .named) throws {
    self.daemon = daemon
    self.surfaces = surfaces
    reader = try AuditReader(path: daemon.database)
    client = daemon.newClient()
  }

  func detach(_ request: PresentationRequest) async throws -> Presentation {
    try await client.detach(surfaces.moving(request))
  }

  func withdraw(_ id: PresentationID) async throws { _ = try await client.cancel(id) }
  func attach(_ name: String, _ scope: PresenterScope) -> PresenterAttachment {
    client.attach(presenter: name, to: surfaces["main"], scope)
  }

  func raise(_ id: PresentationID) async throws -> Presentation { try await client.raise(id) }
  func pauseSession(of id: PresentationID, for duration: Duration) async throws {
    _ = try await client.pauseSession(of: id, for: duration)
  }
  func endPause(_ id: PresentationID) async throws { try await client.endPause(id) }
  func pauses() async throws -> [SessionPause] { try await client.pauses().filter { $0.surface == surfaces["main"] } }
  func wake(_ id: PresentationID) async throws -> Presentation { try await client.wake(id) }
  func report(_ report: ActReport, of id: PresentationID) async throws { try await client.report(report, of: id) }
  func open() async throws -> [Presentation] { try await client.presentations(surface: surfaces["main"]) }

  func eventually(_ condition: String, _ isMet: () async throws -> Bool) async throws {
    try await daemon.eventually(condition, isMet)
  }

  func stop() async throws {
    daemon.process.signal(SIGTERM)
    await daemon.process.expectExit()
  }

  func killAndRestart() async throws -> any Host {
    daemon.process.signal(SIGKILL)
    _ = await daemon.process.exitStatus()
    return try DaemonHost(try await daemon.next())
  }
}

extension Host {
  /// Waits until a lost presenter's prompt is back in its queue.
  func withdrawn(_ id: PresentationID) async throws {
    try await eventually("\(id) is withdrawn") { try await reader.events(of: id).contains { $0.kind == .withdrawn } }
  }

  /// Returns the newest recorded presentation of a sheet.
  func recorded(sheet: String) async throws -> Presentation? {
    let requested = try await events().last { $0.kind == .requested && $0.detail["request"]?["sheet"]?.string == sheet }
    guard let id = requested?.presentation else { return nil }
    return try await reader.presentation(id)
  }
}
