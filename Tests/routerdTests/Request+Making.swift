import NIOHTTP1

@testable import routerd

extension Request {
  /// A request as it comes from a client.
  static func get(_ path: String, headers: [(String, String)] = []) throws -> Request {
    try make(.GET, path, headers: headers)
  }

  /// - Parameter host: `nil` is a request of HTTP/1.0 without a `Host`.
  static func make(
    _ method: HTTPMethod, _ path: String, host: String? = "localhost", headers: [(String, String)] = []
  ) throws -> Request {
    let fields = HTTPHeaders((host.map { [("host", $0)] } ?? []) + headers)
    return try Request(HTTPRequestHead(version: host == nil ? .http1_0 : .http1_1, method: method, uri: path, headers: fields))
  }
}
