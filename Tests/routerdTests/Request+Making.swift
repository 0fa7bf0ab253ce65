import NIOHTTP1

@testable import routerd

extension Request {
  /// Makes a client's GET request.
  static func get(_ path: String, headers: [(String, String)] = []) throws -> Request {
    try make(.GET, path, headers: headers)
  }

  /// - Parameter host: The `Host` field. `nil` makes an HTTP/1.0 request without one.
  static func make(
    _ method: HTTPMethod, _ path: String, host: String? = "localhost", headers: [(String, String)] = []
  ) throws -> Request {
    let fields = HTTPHeaders((host.map { [("host", $0)] } ?? []) + headers)
    return try Request(HTTPRequestHead(version: host == nil ? .http1_0 : .http1_1, method: method, uri: path, headers: fields))
  }
}
