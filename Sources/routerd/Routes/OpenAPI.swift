import COpenAPI
import NIOCore
import OrderedCollections
import Router

/// `Sources/COpenAPI/openapi.json` with the schemas of ``Schemas``. `OpenAPITests` checks it against ``RouteTable`` and actual
/// responses.
enum OpenAPI {
  /// The handwritten part: paths, parameters, responses, and the schemas of types that are not records.
  static var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: openapi_bytes(), count: openapi_count()) }

  static let document: ByteBuffer = {
    guard case .object(var document)? = try? JSONValue(parsing: written),
      case .object(var components)? = document["components"], let paths = document["paths"]?.object,
      case .object(var schemas)? = components["schemas"]
    else { preconditionFailure("openapi.json has no paths or schemas") }
    for (name, schema) in Schemas.all { schemas[name] = schema }
    document["paths"] = .object(
      paths.mapValues { path in
        .object((path.object ?? [:]).mapValues { $0.object.map { .object(withCommonResponses($0)) } ?? $0 })
      })
    components["schemas"] = .object(schemas)
    document["components"] = .object(components)
    return ByteBuffer(string: JSONValue.object(document).description)
  }()

  /// Adds the common responses of operations that require a role, and of operations with a body.
  private static func withCommonResponses(
    _ operation: OrderedDictionary<String, JSONValue>
  ) -> OrderedDictionary<String, JSONValue> {
    var (operation, responses) = (operation, operation["responses"]?.object ?? [:])
    func add(_ status: String, _ name: String) { responses[status] = ["$ref": .string("#/components/responses/" + name)] }
    if operation["x-roles"] != nil {
      add("400", "Invalid")
      add("403", "Forbidden")
      add("500", "Defect")
    }
    if operation["requestBody"] != nil { add("413", "TooLarge") }
    responses.sort { $0.key < $1.key }
    operation["responses"] = .object(responses)
    return operation
  }
}
