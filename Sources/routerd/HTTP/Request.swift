import NIOCore
import NIOHTTP1
import Router

struct Request: Sendable {
  let method: HTTPMethod
  /// The path as sent, without the query.
  let path: String
  let query: String?
  let headers: HTTPHeaders
  /// Whether the client reads chunked bodies and interim responses (HTTP/1.1).
  let isHTTP11: Bool
  let isLast: Bool
  var body = ByteBuffer()

  /// Reads a request head.
  ///
  /// - Throws: ``RouterError`` for a head that RFC 9112, section 3.2 forbids: without exactly one `Host`, or with a
  ///   target that is neither a path nor an `http` URI.
  init(_ head: HTTPRequestHead) throws(RouterError) {
    method = head.method
    headers = head.headers
    isHTTP11 = head.version != .http1_0
    // NIO's decoder treats the bytes after CONNECT or an Upgrade as another protocol.
    isLast = !head.isKeepAlive || head.method == .CONNECT || head.headers.contains(name: "upgrade")
    let hosts = head.headers["host"]
    guard hosts.count == 1 || (hosts.isEmpty && !isHTTP11) else {
      throw RouterError(.invalid, "cannot take the request: it must have one Host header, not \(hosts.count)")
    }
    let target = try Self.originForm(head.uri)
    // By bytes, since characters cost a hundred times as much.
    let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
    path = String(target[..<(mark ?? target.endIndex)])
    query = mark.map { String(target[target.utf8.index(after: $0)...]) }
  }

  /// Returns the path and query of a target, which may be an absolute URI (RFC 9112, section 3.2.2).
  private static func originForm(_ target: String) throws(RouterError) -> Substring {
    guard !target.begins(with: "/"), target != "*" else { return target[...] }
    let scheme = "http://"
    guard target.lowercased().begins(with: scheme) else {
      throw RouterError(.invalid, "cannot take the request: its target must be a path, such as /v1/presentations")
    }
    let rest = target.dropFirst(scheme.count)
    return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
  }

  func header(_ name: String) -> String? { headers.first(name: name) }

  /// The value of `Content-Length`. NIO's parser has checked that it is a number.
  var contentLength: Int? { header("content-length").flatMap { Int($0) } }

  /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1).
  var expectsContinue: Bool { isHTTP11 && header("expect")?.lowercased() == "100-continue" }

  func accepts(_ type: String) -> Bool {
    guard let accepted = header("accept") else { return false }
    return accepted.split(at: ",").contains { $0.split(at: ";").first?.trimmingWhiteSpace == type }
  }

  /// Parses the body as strict JSON and ignores its `Content-Type`, because `curl -d` labels every body a form.
  ///
  /// - Parameter isOptional: Whether an empty body counts as `{}`.
  /// - Throws: ``RouterError`` with the position of the error.
  func json(isOptional: Bool = false) throws(RouterError) -> JSONValue {
    if isOptional, body.readableBytes == 0 { return [:] }
    do {
      return try JSONValue(parsing: body.readableBytesView)
    } catch {
      throw RouterError(error)
    }
  }
}
