import FoundationEssentials
import Router
import RouterClient

/// A web address without TLS, for posting evidence.
struct HTTPAddress: Sendable, Hashable {
  let host: String
  let port: UInt16
  /// The path and query, percent-encoded.
  private(set) var path: String

  /// Reads `http://HOST[:PORT][/PATH]`; `nil` for anything else.
  init?(_ text: String) {
    guard let url = URL(string: text), url.scheme?.lowercased() == "http", let host = url.host(), !host.isEmpty,
      url.user() == nil, url.fragment() == nil, let port = UInt16(exactly: url.port ?? 80)
    else { return nil }
    self.host = host.begins(with: "[") && host.ends(with: "]") ? String(host.dropFirst().dropLast()) : host
    self.port = port
    let path = url.path(percentEncoded: true)
    self.path = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
  }

  /// The host and port.
  var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Returns the address of a path below this one.
  func appending(_ path: String) -> HTTPAddress {
    var address = self
    address.path = (self.path.ends(with: "/") ? String(self.path.dropLast()) : self.path) + path
    return address
  }

  private static let maximumReplyBytes = 16 << 20

  /// Posts a body, and returns the body of the reply. Any status except 200 is a failure. Blocks.
  func post(_ body: [UInt8], type: String) throws(TargetFailure) -> [UInt8] {
    let connection = try TCPConnection(host: host, port: port)
    let head = """
      POST \(path) HTTP/1.1\r
      Host: \(authority)\r
      Content-Type: \(type)\r
      Content-Length: \(body.count)\r
      Connection: close\r
      \r

      """
    try connection.send(Array(head.utf8) + body)
    var (reader, reply) = (HTTPReplyReader(maximumBytes: Self.maximumReplyBytes), [UInt8]())
    while !reader.hasEnded {
      let bytes = try connection.receive()
      guard !bytes.isEmpty else { break }
      do {
        reply += try reader.feed(bytes[...]).joined()
      } catch {
        throw TargetFailure("cannot understand the reply of \(authority): \(error)")
      }
    }
    guard let status = reader.status, reader.isComplete else {
      throw TargetFailure("cannot read the reply of \(authority): the connection was lost")
    }
    guard status == 200 else {
      let reason = String(decoding: reply.prefix(200), as: UTF8.self).trimmingWhiteSpace
      throw TargetFailure("\(authority) replied with the status \(status)\(reason.isEmpty ? "" : ": \(reason)")")
    }
    return reply
  }
}
