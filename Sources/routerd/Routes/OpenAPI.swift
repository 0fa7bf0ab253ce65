import COpenAPI
import NIOCore

/// The contents of `Sources/COpenAPI/openapi.json`. `OpenAPITests` checks it against ``RouteTable`` and actual
/// responses.
enum OpenAPI {
  static let document = ByteBuffer(bytes: UnsafeBufferPointer(start: openapi_bytes(), count: openapi_count()))
}
