import HTTPTypes
import Hummingbird
import NIOCore
import Router

/// Operations: status, health and the API's own description.
struct OperationRoutes: Sendable {
  let coordinator: PresentationCoordinator
  let reader: AuditReader
  let configuration: DaemonConfiguration
  let started = ContinuousClock.now

  /// `GET /v1/status`
  @Sendable func status(_ request: Request, _ context: PeerContext) async throws -> Response {
    let surfaces = await coordinator.surfaceStates
    return Response(json: [
      "version": .string(Daemon.version), "uptime": .seconds(started.duration(to: .now)),
      "surfaces": .integer(surfaces.count), "open": .integer(await coordinator.openCount),
      "databaseBytes": .integer(try await reader.databaseBytes()),
      "durability": .string(configuration.durability.rawValue), "writable": .bool(await coordinator.isWritable),
    ])
  }

  /// `GET /metrics`
  @Sendable func metrics(_ request: Request, _ context: PeerContext) async throws -> Response {
    let metrics = MetricsText(
      version: Daemon.version, uptime: started.duration(to: .now), surfaces: await coordinator.surfaceStates,
      ended: await coordinator.endedCounts, databaseBytes: try await reader.databaseBytes(),
      isWritable: await coordinator.isWritable)
    return Response(
      status: .ok, headers: [.contentType: MetricsText.contentType],
      body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
  }

  /// `GET /healthz`
  @Sendable func health(_ request: Request, _ context: PeerContext) async throws -> Response {
    Response(json: ["status": "ok"])
  }

  /// `GET /openapi.json`
  @Sendable func openAPI(_ request: Request, _ context: PeerContext) async throws -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: OpenAPI.document))
  }
}
