import COpenAPI
import NIOCore

/// The daemon's own description (OpenAPI 3.1), which `GET /openapi.json` serves: `Sources/COpenAPI/openapi.json`, byte for byte.
///
/// `OpenAPITests` compares it with ``RouteTable``, with the library's enumerations and with what is sent.
enum OpenAPI {
  static let document = ByteBuffer(bytes: UnsafeBufferPointer(start: openapi_bytes(), count: openapi_count()))
}
