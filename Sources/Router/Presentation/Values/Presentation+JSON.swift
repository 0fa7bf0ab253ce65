extension Presentation: JSONObject {
  /// The presentation as http-api has it.
  public var json: JSONValue { jsonText.value }

  /// The text of ``json``, in a fraction of the time.
  public var jsonText: JSONText { JSONText(self) }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("id", id.description)
    writer.add("state", state.rawValue)
    writer.add("covered", covered)
    writer.add("position", position)
    writer.add("generation", generation)
    writer.add("attached", attached)
    writer.add("requester", requester)
    writer.add("request", text: requestText)
    writer.add("requestedAt", requestedAt.description)
    writer.add("presentedAt", optional: presentedAt?.description)
    writer.add("resolvedAt", optional: resolvedAt?.description)
    writer.add("outcome", optional: outcome)
    writer.add("resolvedBy", optional: resolvedBy)
    writer.add("callback", optional: callback)
  }

  /// Reads what ``json`` writes. Fields that a newer daemon adds are passed over.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    guard let id = PresentationID(try reader.requiredString("id")) else { throw reader.error("must be a UUID", at: "id") }
    guard let state: State = try reader.choice("state") else { throw reader.error("is missing", at: "state") }
    guard let requester = reader.value("requester"), let request = reader.value("request") else {
      throw JSONError("has no requester or no request", at: pointer)
    }
    guard let requestedAt = try reader.timestamp("requestedAt") else { throw reader.error("is missing", at: "requestedAt") }
    self.init(
      id: id, state: state, covered: try reader.bool("covered") ?? false, position: try reader.count("position") ?? 0,
      generation: try reader.count("generation") ?? 0, attached: try reader.bool("attached") ?? false,
      requester: try Requester(json: requester, at: reader.pointer(to: "requester")),
      request: try PresentationRequest(accepted: request, at: reader.pointer(to: "request")),
      requestedAt: requestedAt, presentedAt: try reader.timestamp("presentedAt"),
      resolvedAt: try reader.timestamp("resolvedAt"))
    if let value = reader.value("outcome") {
      outcome = try PresentationOutcome(json: value, at: reader.pointer(to: "outcome"))
    }
    if let value = reader.value("resolvedBy") {
      resolvedBy = try Resolver(json: value, at: reader.pointer(to: "resolvedBy"))
    }
    if let value = reader.value("callback") {
      callback = try CallbackState(json: value, at: reader.pointer(to: "callback"))
    }
  }
}

extension CallbackState: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("state", state.rawValue)
    writer.add("attempts", attempts)
    writer.add("lastError", optional: lastError)
  }

  init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    self.init(
      state: try reader.choice("state") ?? .pending, attempts: try reader.count("attempts") ?? 0,
      lastError: try reader.string("lastError"))
  }
}

extension JSONObjectReader {
  mutating func timestamp(_ key: String) throws(JSONError) -> Timestamp? {
    guard let text = try string(key) else { return nil }
    guard let timestamp = Timestamp(text) else { throw error("must be an RFC 3339 time", at: key) }
    return timestamp
  }
}
