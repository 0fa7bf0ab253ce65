import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
  /// A request as it comes from a client.
  static func get(_ path: String, headers: [(HTTPField.Name, String)] = []) -> Request {
    var fields = HTTPFields()
    for (name, value) in headers { fields.append(HTTPField(name: name, value: value)) }
    let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path, headerFields: fields)
    return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
  }
}
