import COpenAPI
import NIOCore

/// `Sources/COpenAPI/openapi.json`, byte for byte. `OpenAPITests` compares it with ``RouteTable`` and what is sent.
enum OpenAPI {
  static let document = ByteBuffer(bytes: UnsafeBufferPointer(start: openapi_bytes(), count: openapi_count()))
}
