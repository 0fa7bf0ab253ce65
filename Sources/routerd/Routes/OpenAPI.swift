import Router

/// The daemon's own description.
enum OpenAPI {
  static let document: JSONValue = ["openapi": "3.1.0"]
}
