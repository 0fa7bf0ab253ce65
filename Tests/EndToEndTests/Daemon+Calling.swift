import Router
import RouterClient

/// Plain HTTP calls, without the client library.
extension TestDaemon {
  func call(
    _ method: HTTPCall.Method, _ path: String, _ body: JSONValue? = nil, headers: HeaderFields = [:]
  ) async throws -> HTTPReply {
    try await http.reply(to: HTTPCall(method, path, headers: headers, body: body.map { Array($0.description.utf8) }))
  }

  /// Submits a detached alert with the buttons yes and no.
  func ask(_ title: String, surface: String = "main") async throws -> HTTPReply {
    var request = PresentationRequest.alert(title)
    request.surface = surface
    return try await call(.POST, APIPath.presentations, request.json, headers: ["Prefer": "respond-async"])
  }

  /// Returns the open presentations.
  func open() async throws -> [Presentation] {
    var open: [Presentation] = []
    var cursor: String?
    repeat {
      let page = try await call(.GET, APIPath.presentations + "?limit=1000" + (cursor.map { "&cursor=\($0)" } ?? "")).json
      open += try (page["presentations"]?.array ?? []).map { try Presentation(json: $0) }
      cursor = page["next"]?.string
    } while cursor != nil
    return open
  }

  /// Whether the daemon reports its log as writable.
  func isWritable() async throws -> Bool {
    try await call(.GET, "/v1/status").json["writable"] == true
  }

  /// Waits until the daemon reports its log as writable or not.
  func becomes(writable: Bool) async throws {
    while try await isWritable() != writable { await Task.yield() }
  }
}

extension HTTPReply {
  var json: JSONValue {
    get throws(JSONError) { try JSONValue(parsing: body, maximumDepth: JSONValue.maximumWrappedDepth) }
  }

  var problem: Problem {
    get throws(JSONError) { try Problem(json: json) }
  }
}
