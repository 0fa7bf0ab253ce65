package import Router

/// A call to the daemon's API.
package struct HTTPCall: Sendable {
  package enum Method: String, Sendable {
    case GET, POST, PUT, DELETE
  }

  package var method: Method
  /// The path and query, percent-encoded.
  package var path: String
  package var headers: HeaderFields
  package var body: [UInt8]?

  package init(_ method: Method, _ path: String, headers: HeaderFields = [:], body: [UInt8]? = nil) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }

  package init(_ method: Method, _ path: String, headers: HeaderFields = [:], json: JSONText) {
    self.init(method, path, headers: headers, body: json.bytes)
    self.headers.replaceOrAdd(name: "Content-Type", value: "application/json")
  }

  /// The serialized call. Throws ``RouterError`` (`invalid`) if the path or a field contains a line break (RFC 9112,
  /// section 2.2).
  var bytes: [UInt8] {
    get throws {
      var headers = headers
      headers.replaceOrAdd(name: "Host", value: "localhost")
      headers.replaceOrAdd(name: "Connection", value: "close")
      if let body { headers.replaceOrAdd(name: "Content-Length", value: String(body.count)) }
      guard !path.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
        throw RouterError(.invalid, "cannot send the call: its path contains a space or a control character")
      }
      var head = "\(method.rawValue) \(path) HTTP/1.1\r\n"
      for field in headers.fields {
        guard !field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
          throw RouterError(.invalid, "cannot send the call: its header \(field.name) contains a control character")
        }
        head += "\(field.name): \(field.value)\r\n"
      }
      return Array((head + "\r\n").utf8) + (body ?? [])
    }
  }
}

package struct HTTPReply: Sendable {
  package var status: Int
  package var headers: HeaderFields
  package var body: [UInt8]
}
