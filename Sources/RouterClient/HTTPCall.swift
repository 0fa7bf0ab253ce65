package import NIOHTTP1
package import Router

/// One call of the daemon's API, before it is sent.
package struct HTTPCall: Sendable {
  package var method: HTTPMethod
  /// The path with its query, percent-encoded.
  package var path: String
  package var headers: HTTPHeaders
  package var body: [UInt8]?

  package init(_ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }

  /// A call with a JSON body.
  package init(_ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], json: JSONValue) {
    self.init(method, path, headers: headers, body: json.bytes)
    self.headers.replaceOrAdd(name: "Content-Type", value: "application/json")
  }

  /// The head as it goes over the wire: one call a connection, the body's length known.
  var head: HTTPRequestHead {
    var headers = headers
    headers.replaceOrAdd(name: "Host", value: "localhost")
    headers.replaceOrAdd(name: "Connection", value: "close")
    if let body { headers.replaceOrAdd(name: "Content-Length", value: String(body.count)) }
    return HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
  }
}

/// What came back for an ``HTTPCall``, collected.
package struct HTTPReply: Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  package var body: [UInt8]
}
