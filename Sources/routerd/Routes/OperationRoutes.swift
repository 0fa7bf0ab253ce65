import NIOCore
import NIOHTTP1
import Router

/// The operational routes: status, metrics, health and the OpenAPI document.
struct OperationRoutes: Sendable {
  let coordinator: PresentationCoordinator
  let reader: AuditReader
  let configuration: DaemonConfiguration
  /// The address of the page; `nil` if it is not served.
  let page: WebAddress?
  let started = ContinuousClock.now

  /// `GET /v1/status`
  @Sendable func status(_ call: Call) async throws -> Response? {
    let surfaces = await coordinator.surfaceStates
    return Response(json: [
      "version": .string(Daemon.version), "uptime": .seconds(started.duration(to: .now)),
      "surfaces": .integer(surfaces.count), "open": .integer(await coordinator.openCount),
      "databaseBytes": .integer(try await reader.databaseBytes()),
      "durability": .string(configuration.durability.rawValue), "writable": .bool(await coordinator.isWritable),
      "database": .string(configuration.database),
      "page": configuration.webAddress.map { ["address": .string("\(page ?? $0)"), "served": .bool(page != nil)] } ?? .null,
    ])
  }

  /// `GET /metrics`
  @Sendable func metrics(_ call: Call) async throws -> Response? {
    let metrics = MetricsText(
      version: Daemon.version, uptime: started.duration(to: .now), surfaces: await coordinator.surfaceStates,
      ended: await coordinator.endedCounts, databaseBytes: try await reader.databaseBytes(),
      isWritable: await coordinator.isWritable)
    return Response(.ok, ["Content-Type": MetricsText.contentType], body: ByteBuffer(string: metrics.text))
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
