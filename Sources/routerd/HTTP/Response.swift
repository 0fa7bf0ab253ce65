import NIOCore
import NIOHTTP1
import Router

struct Response: Sendable {
  var status: HTTPResponseStatus = .ok
  var headers: HTTPHeaders = [:]
  var body = ByteBuffer()

  init(_ status: HTTPResponseStatus, _ headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  init(_ record: some Record, headers: HTTPHeaders = [:]) { self.init(json: record.jsonText, headers: headers) }

  init(headers: HTTPHeaders = [:], _ addMembers: (inout JSONWriter) -> Void) {
    self.init(json: JSONText(addMembers), headers: headers)
  }

  init(_ status: HTTPResponseStatus = .ok, json: JSONValue, headers: HTTPHeaders = [:]) {
    self.init(status, json: JSONText(json), headers: headers)
  }

  init(
    _ status: HTTPResponseStatus = .ok, json: JSONText, headers: HTTPHeaders = [:], type: String = "application/json"
  ) {
    self.init(status, headers, body: ByteBuffer(bytes: json.bytes))
    self.headers.add(name: "Content-Type", value: type)
  }

  init(_ problem: Problem, retryAfter: Duration? = nil) {
    let status = HTTPResponseStatus(statusCode: problem.status)
    self.init(status, json: problem.jsonText, type: Problem.contentType)
    if let retryAfter { headers.add(name: "Retry-After", value: String(max(1, retryAfter.wholeSeconds))) }
    // After these errors, the connection could carry only the rest of an unread body, or late requests.
    let isLast = problem.status == 413 || problem.code == RouterError.Code.shuttingDown.rawValue
    if isLast { headers.add(name: "Connection", value: "close") }
  }

  /// Creates a problem with the reason phrase of the status as its title.
  init(_ status: HTTPResponseStatus, problem detail: String, retryAfter: Duration? = nil) {
    self.init(Problem(status: Int(status.code), title: status.words, detail: detail), retryAfter: retryAfter)
  }

  init(_ error: RouterError) {
    let status = HTTPResponseStatus(statusCode: error.status)
    self.init(error.problem(title: status.words), retryAfter: error.retryAfter)
  }

  /// Encodes the response (RFC 9112, section 4).
  ///
  /// - Parameters:
  ///   - others: Additional header fields, which come first.
  ///   - hasBody: Whether to include the body; false after HEAD.
  func encode(into buffer: inout ByteBuffer, adding others: HTTPHeaders, isLast: Bool, hasBody: Bool = true) {
    buffer.reserveCapacity(minimumWritableBytes: 256 + body.readableBytes)
    encodeHead(into: &buffer, adding: others, isLast: isLast)
    if status != .notModified, status != .noContent {
      buffer.writeField("Content-Length", String(body.readableBytes))
    }
    buffer.writeString("\r\n")
    if hasBody { buffer.writeImmutableBuffer(body) }
  }

  /// Encodes the head of a response with a streamed body.
  func encodeStreamHead(into buffer: inout ByteBuffer, adding others: HTTPHeaders, isLast: Bool, isChunked: Bool) {
    encodeHead(into: &buffer, adding: others, isLast: isLast)
    buffer.writeString(isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n")
  }

  private func encodeHead(into buffer: inout ByteBuffer, adding others: HTTPHeaders, isLast: Bool) {
    buffer.writeString("HTTP/1.1 ")
    buffer.writeString(String(status.code))
    buffer.writeString(" ")
    buffer.writeString(status.words)
    buffer.writeString("\r\n")
    for (name, value) in headers { buffer.writeField(name, value) }
    for (name, value) in others where !headers.contains(name: name) { buffer.writeField(name, value) }
    if isLast, !headers.contains(name: "connection") { buffer.writeField("Connection", "close") }
    buffer.writeField("Date", HTTPDate.now)
  }
}

extension ByteBuffer {
  /// Writes a header field without creating a string for the line.
  fileprivate mutating func writeField(_ name: String, _ value: String) {
    writeString(name)
    writeString(": ")
    writeString(value)
    writeString("\r\n")
  }
}

extension HTTPResponseStatus {
  /// The reason phrase of RFC 9110. NIO's phrases are outdated for two codes.
  var words: String {
    switch code {
    case 413: "Content Too Large"
    case 422: "Unprocessable Content"
    default: reasonPhrase
    }
  }
}
