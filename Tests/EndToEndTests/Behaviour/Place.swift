import Foundation
import Router
import RouterClient
import Testing

/// Where the suite runs: over the coordinator of this process, and over a real daemon. What asks and what shows cannot tell
/// which it is.
enum Place: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case inProcess, daemon

  var testDescription: String { rawValue }

  /// Runs a body with a house whose broker is in the environment, and always ends it.
  ///
  /// - Parameter perSurface: How many may be open on a surface.
  func run(perSurface: Int = 10_000, _ body: (any House) async throws -> Void) async throws {
    switch self {
    case .inProcess:
      let directory = FileManager.default.temporaryDirectory.appending(path: "router-\(UUID().uuidString.prefix(8))").path
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let house = try await InProcessHouse(directory: directory, database: "log.db", perSurface: perSurface)
      try await withEnvironment(\.presentationBroker, house.broker) { try await body(house) }
      await house.coordinator.shutDown()
    case .daemon:
      try await TestDaemon.run(environment: ["ROUTERD_LIMITS_PER_SURFACE": "\(perSurface)"]) { daemon in
        let house = try DaemonHouse(daemon)
        try await withEnvironment(\.presentationBroker, house.broker) { try await body(house) }
      }
    }
  }
}

/// A broker to ask and to show with, and what a test may do to it.
protocol House: Sendable {
  var broker: any PresentationBroker { get }
  /// The log, read beside whoever writes it.
  var reader: AuditReader { get }

  /// Asks for something that outlives whoever asks.
  func detach(_ request: PresentationRequest) async throws -> Presentation
  /// Its requester takes a presentation back, by its id.
  func takeBack(_ id: PresentationID) async throws
  /// What is open, in the order in which it will be shown.
  func open() async throws -> [Presentation]
  /// Shuts down as is proper, and waits for it.
  func stop() async throws
  /// Ends it as `kill -9` does, and starts another on what is on record.
  func killAndRestart() async throws -> any House
}

/// The coordinator of this process.
struct InProcessHouse: House {
  let coordinator: PresentationCoordinator
  let reader: AuditReader
  private let directory: String
  private let database: String

  var broker: any PresentationBroker { coordinator }

  init(directory: String, database: String, perSurface: Int = 10_000) async throws {
    let log = try AuditLog(path: directory + "/" + database)
    coordinator = try await PresentationCoordinator(
      log: log, limits: PresentationSurfaces.Limits(perSurface: perSurface), app: "tests")
    reader = try AuditReader(log)
    self.directory = directory
    self.database = database
  }

  func detach(_ request: PresentationRequest) async throws -> Presentation {
    try await coordinator.ask(request, from: Requester(app: "tests", process: .current), attached: false).accepted()
  }

  func takeBack(_ id: PresentationID) async throws {
    _ = try await coordinator.cancel(id, by: Resolver(process: .current))
  }

  func open() async throws -> [Presentation] { await coordinator.presentations() }
  func stop() async throws { await coordinator.shutDown() }

  /// The next one starts on the files as they are now; this one goes on without them.
  func killAndRestart() async throws -> any House {
    let copy = "next-" + database
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: directory + "/" + database + suffix, toPath: directory + "/" + copy + suffix)
    }
    return try await InProcessHouse(directory: directory, database: copy)
  }
}

/// A real routerd.
struct DaemonHouse: House {
  let daemon: TestDaemon
  let reader: AuditReader

  var broker: any PresentationBroker { daemon.client }

  init(_ daemon: TestDaemon) throws {
    self.daemon = daemon
    reader = try AuditReader(path: daemon.database)
  }

  func detach(_ request: PresentationRequest) async throws -> Presentation { try await daemon.client.detach(request) }
  func takeBack(_ id: PresentationID) async throws { _ = try await daemon.client.cancel(id) }
  func open() async throws -> [Presentation] { try await daemon.client.presentations() }

  func stop() async throws {
    daemon.process.signal(SIGTERM)
    await daemon.process.expectExit()
  }

  func killAndRestart() async throws -> any House {
    daemon.process.signal(SIGKILL)
    _ = await daemon.process.exitStatus()
    return try DaemonHouse(try await daemon.next())
  }
}

extension House {
  /// The newest presentation of a sheet that is on record.
  func recorded(sheet: String) async throws -> Presentation? {
    var query = AuditQuery()
    query.sheets = [sheet]
    query.limit = 1
    return try await reader.presentations(query).page.first
  }
}
