import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Where the suite runs: with the in-process coordinator, with a real daemon, and with two that share their surfaces.
/// Requesters and presenters cannot tell the difference.
enum Place: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case inProcess, daemon
  #if PostgreSQL
  case shared
  #endif

  var testDescription: String { rawValue }

  /// Runs a body with a broker in its environment, and always shuts the broker down.
  ///
  /// - Parameter perSurface: The limit of open presentations per surface.
  func run(perSurface: Int = 10_000, _ body: (any Host) async throws -> Void) async throws {
    switch self {
    case .inProcess:
      let directory = FileManager.default.temporaryDirectory.appending(path: "router-\(UUID().uuidString.prefix(8))").path
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let host = try await InProcessHost(directory: directory, database: "log.db", perSurface: perSurface)
      try await withEnvironment(\.presentationBroker, host.broker) { try await body(host) }
      await host.coordinator.shutDown()
    case .daemon:
      try await TestDaemon.run(environment: ["ROUTERD_LIMITS_PER_SURFACE": "\(perSurface)"]) { daemon in
        let host = try DaemonHost(daemon)
        try await withEnvironment(\.presentationBroker, host.broker) { try await body(host) }
      }
    #if PostgreSQL
    case .shared:
      try await SharedDaemons.run(environment: ["ROUTERD_LIMITS_PER_SURFACE": "\(perSurface)"]) { daemons in
        let host = try await SharedHost(daemons)
        try await withEnvironment(\.presentationBroker, host.broker) { try await body(host) }
        try await host.expectOneRecord()
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
  /// A reader of the log while the broker writes it.
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
  /// The pauses in force.
  func pauses() async throws -> [SessionPause]
  /// Ends a snooze.
  func wake(_ id: PresentationID) async throws -> Presentation
  /// Reports the result of an approved act, as its requester.
  func report(_ report: ActReport, of id: PresentationID) async throws
  /// Returns the open presentations in queue order.
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
  func eventuallyTold(_ condition: String, _ isMet: () async throws -> Bool) async throws {
    try await eventually(condition, isMet)
  }
}

/// The in-process coordinator.
struct InProcessHost: Host {
  let coordinator: PresentationCoordinator
  let reader: AuditReader
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
  let reader: AuditReader

  var broker: any PresentationBroker { daemon.client }

  init(_ daemon: TestDaemon) throws {
    self.daemon = daemon
    reader = try AuditReader(path: daemon.database)
  }

  func detach(_ request: PresentationRequest) async throws -> Presentation { try await daemon.client.detach(request) }
  func withdraw(_ id: PresentationID) async throws { _ = try await daemon.client.cancel(id) }
  func attach(_ name: String, _ scope: PresenterScope) -> PresenterAttachment {
    daemon.client.attach(presenter: name, to: "main", scope)
  }

  func raise(_ id: PresentationID) async throws -> Presentation { try await daemon.client.raise(id) }
  func pauseSession(of id: PresentationID, for duration: Duration) async throws {
    _ = try await daemon.client.pauseSession(of: id, for: duration)
  }
  func endPause(_ id: PresentationID) async throws { try await daemon.client.endPause(id) }
  func pauses() async throws -> [SessionPause] { try await daemon.client.pauses() }
  func wake(_ id: PresentationID) async throws -> Presentation { try await daemon.client.wake(id) }
  func report(_ report: ActReport, of id: PresentationID) async throws { try await daemon.client.report(report, of: id) }
  func open() async throws -> [Presentation] { try await daemon.client.presentations() }

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
    var query = AuditQuery()
    query.sheets = [sheet]
    query.limit = 1
    return try await reader.presentationPage(query).page.first
  }
}
