import Router
import RouterClient
import RouterTesting
import Testing

/// Plain HTTP calls, without the client library.
extension TestDaemon {
  func call(
    _ method: HTTPCall.Method, _ path: String, _ body: JSONValue? = nil, headers: HeaderFields = [:]
  ) async throws -> HTTPReply {
    try await http.reply(to: HTTPCall(method, path, headers: headers, body: body.map { Array($0.description.utf8) }))
  }

  /// Runs routerctl with this daemon, and returns the lines that it prints.
  func routerctl(_ arguments: [String], exit status: Int32 = 0) async throws -> [String] {
    let program = try ChildProcess("routerctl", arguments, environment: ["ROUTERD_SOCKET": socket])
    let output = await program.allOutput()
    await program.expectExit(status)
    return output
  }

  /// Submits a detached alert with the buttons yes and no.
  func ask(_ title: String, surface: String = "main", rememberable act: Act? = nil) async throws -> HTTPReply {
    var request = PresentationRequest.alert(title)
    request.surface = surface
    request.act = act
    if act != nil { request.remember = PresentationRequest.Remember() }
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

  /// Waits until the daemon reports its log as writable or not. It prints each change.
  func becomes(writable: Bool) async throws {
    let change = writable ? "the audit log can be written again" : "cannot write the audit log"
    while try await isWritable() != writable {
      guard await process.line(with: change) != nil else { throw Unmet(description: "the daemon never printed \"\(change)\"") }
    }
  }

  /// Waits until a condition holds that a recorded event brings about. Follows the log from its beginning.
  ///
  /// - Parameter surface: A shared surface, whose record to follow instead.
  func eventually(_ condition: String, on surface: String? = nil, _ isMet: () async throws -> Bool) async throws {
    let (changes, change) = AsyncStream<Void>.makeStream()
    var query = AuditQuery()
    query.surfaces = surface.map { [$0] } ?? []
    let following = Task { [client, query] in
      try? await client.followLog(after: 0, query) { _ in change.yield() }
      change.finish()
    }
    // Ends with the wait, or with the daemon.
    defer { following.cancel() }
    try await RouterTesting.eventually(condition, after: changes, isMet)
  }

  /// Waits until a number of presentations is open, and returns them.
  @discardableResult
  func opened(_ count: Int) async throws -> [Presentation] {
    var found: [Presentation] = []
    try await eventually("\(count) presentations are open") {
      found = try await open()
      return found.count == count
    }
    return found
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
