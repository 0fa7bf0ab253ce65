import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Router

extension Response {
  /// A JSON object as the body.
  init(headers: HTTPFields = [:], _ addMembers: (inout JSONWriter) -> Void) {
    self.init(json: JSONText(addMembers), headers: headers)
  }

  /// A JSON body.
  init(_ status: HTTPResponse.Status = .ok, json: JSONValue, headers: HTTPFields = [:], type: String = "application/json") {
    self.init(status, json: JSONText(json), headers: headers, type: type)
  }

  /// A JSON body that is at hand as text.
  init(_ status: HTTPResponse.Status = .ok, json: JSONText, headers: HTTPFields = [:], type: String = "application/json") {
    var headers = headers
    headers[.contentType] = type
    self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
  }

  /// An error, as RFC 9457 has it.
  init(_ problem: Problem, retryAfter: Duration? = nil) {
    var headers: HTTPFields = [:]
    if let retryAfter { headers[.retryAfter] = String(max(1, retryAfter.wholeSeconds)) }
    // What follows on such a connection would be the rest of a body that nobody reads, or come too late.
    let isLast = problem.status == 413 || problem.code == RouterError.Code.shuttingDown.rawValue
    if isLast { headers[.connection] = "close" }
    let status = HTTPResponse.Status(code: problem.status, reasonPhrase: problem.title)
    self.init(status, json: problem.jsonText, headers: headers, type: Problem.contentType)
  }
}

extension Request {
  /// Whether the client asks for this media type.
  func accepts(_ type: String) -> Bool {
    (headers[.accept] ?? "").split(separator: ",").contains {
      $0.split(separator: ";").first?.trimmingWhiteSpace == type
    }
  }

  /// Reads the body as strict JSON, whatever its `Content-Type` says: curl's `-d` calls everything a form.
  ///
  /// - Throws: ``RouterError`` with the place that is wrong; `NIOTooManyBytesError` beyond the limit.
  func json(upTo limit: Int) async throws -> JSONValue {
    if let length = headers[.contentLength].flatMap(Int.init), length > limit { throw NIOTooManyBytesError(maxBytes: limit) }
    return try Self.parse(try await body.collect(upTo: limit))
  }

  /// Reads a body where an empty one is as good as `{}`.
  func optionalJSON(upTo limit: Int) async throws -> JSONValue {
    let buffer = try await body.collect(upTo: limit)
    return buffer.readableBytes == 0 ? [:] : try Self.parse(buffer)
  }

  private static func parse(_ buffer: ByteBuffer) throws -> JSONValue {
    do {
      return try JSONValue(parsing: buffer.readableBytesView)
    } catch {
      throw RouterError(error)
    }
  }
}

extension RouterError {
  /// The status with its words.
  var httpStatus: HTTPResponse.Status {
    switch status {
    case 400: .badRequest
    case 403: .forbidden
    case 404: .notFound
    case 409: .conflict
    case 422: .unprocessableContent
    case 429: .tooManyRequests
    case 503: .serviceUnavailable
    default: .internalServerError
    }
  }
}
