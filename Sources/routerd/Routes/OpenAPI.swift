import COpenAPI
import NIOCore
import Router

/// `Sources/COpenAPI/openapi.json` with the schemas of ``Schemas``. `OpenAPITests` checks it against ``RouteTable`` and actual
/// responses.
enum OpenAPI {
  /// What is written by hand: paths, parameters, responses, and the schemas of types that are not records.
  static var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: openapi_bytes(), count: openapi_count()) }

  static let document: ByteBuffer = {
    guard case .object(var document)? = try? JSONValue(parsing: written),
      case .object(var components)? = document["components"],
      case .object(var schemas)? = components["schemas"]
    else { preconditionFailure("openapi.json has no schemas") }
    for (name, schema) in Schemas.all { schemas[name] = schema }
    components["schemas"] = .object(schemas)
    document["components"] = .object(components)
    return ByteBuffer(string: JSONValue.object(document).description)
  }()
}
