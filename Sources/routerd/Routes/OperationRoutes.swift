import FoundationEssentials
import NIOCore
import NIOHTTP1
import Router

/// The operational routes: status, metrics, health and the OpenAPI document.
struct OperationRoutes: Sendable {
  let coordinators: Coordinators
  let configuration: DaemonConfiguration
  /// The address of the page; `nil` if the daemon does not serve it.
  let page: WebAddress?
  let journal: Journal?
  let started = ContinuousClock.now

  /// `GET /v1/status`
  @Sendable func status(_ call: Call) async throws -> Response? {
    let states = await states()
    let status = DaemonStatus(
      version: routerVersion, uptime: started.duration(to: .now), surfaces: states.reduce(0) { $0 + $1.surfaces.count },
      open: states.reduce(0) { $0 + $1.open }, databaseBytes: try await coordinators.local.reader.databaseBytes(),
      durability: configuration.durability.rawValue, isWritable: await coordinators.local.coordinator.isWritable,
      database: configuration.database, shared: await shared(),
      warnings: Setting.warnings(ProcessInfo.processInfo.environment),
      page: configuration.webAddress.map { DaemonStatus.Page(address: "\(page ?? $0)", isServed: page != nil) })
    return Response(status)
  }

  /// `GET /metrics`
  @Sendable func metrics(_ call: Call) async throws -> Response? {
    let states = await states()
    var metrics = MetricsText(
      version: routerVersion, uptime: started.duration(to: .now), surfaces: states.flatMap(\.surfaces),
      ended: states.reduce(into: [:]) { $0.merge($1.ended, uniquingKeysWith: +) },
      databaseBytes: try await coordinators.local.reader.databaseBytes(),
      isWritable: await coordinators.local.coordinator.isWritable)
    if let counts = journal?.counts {
      metrics.add(
        "routerd_journal_entries_total", "counter", "Events for systemd's journal since the daemon started, by result.",
        [(("result", "sent"), counts.sent), (("result", "lost"), counts.lost)])
    }
    return Response(.ok, ["Content-Type": MetricsText.contentType], body: ByteBuffer(string: metrics.text))
  }

  /// The shared surfaces in use.
  private func shared() async -> [DaemonStatus.SharedSurface] {
    var surfaces: [DaemonStatus.SharedSurface] = []
    for (name, keeper) in coordinators.shared {
      let coordinator = keeper.coordinator
      surfaces.append(
        DaemonStatus.SharedSurface(
          name: name, isLeading: await coordinator.isLeading, isReachable: await coordinator.isConnected))
    }
    return surfaces
  }

  private struct State {
    let surfaces: [SurfaceState]
    let open: Int
    let ended: [PresentationOutcome.Name: Int]
  }

  private func states() async -> [State] {
    var states: [State] = []
    for keeper in coordinators.all {
      let coordinator = keeper.coordinator
      states.append(
        State(
          surfaces: await coordinator.surfaceStates, open: await coordinator.openCount, ended: await coordinator.endedCounts))
    }
    return states
  }

  /// `GET /healthz`
  func health(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    Response(json: ["status": "ok"])
  }

  /// `GET /openapi.json`
  func openAPI(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    Response(.ok, ["Content-Type": "application/json"], body: OpenAPI.document)
  }
}
