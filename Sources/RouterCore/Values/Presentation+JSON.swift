extension Presentation: JSONObject, SampledPart {
  package static var schema: JSONValue { .schema("Presentation") }

  package static var sample: Presentation {
    Presentation(
      id: .sample, requester: .sample, request: PresentationRequest(kind: .alert), requestedAt: Timestamp(milliseconds: 0))
  }

  /// The presentation as the HTTP API returns it.
  public var json: JSONValue { jsonText.value }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("id", id.description)
    writer.add("state", state.rawValue)
    writer.add("covered", covered)
    writer.add("position", position)
    writer.add("generation", generation)
    writer.add("snoozedUntil", ifPresent: snoozedUntil?.description)
    writer.add("attached", attached)
    writer.add("requester", requester)
    writer.add("request", text: requestText)
    writer.add("ruled", ifPresent: ruling)
    writer.add("requestedAt", requestedAt.description)
    writer.add("presentedAt", optional: presentedAt?.description)
    writer.add("resolvedAt", optional: resolvedAt?.description)
    writer.add("outcome", optional: recordedOutcome)
    writer.add("resolvedBy", optional: resolvedBy)
    writer.add("because", ifPresent: because)
    if let act = request.act { writer.add("actDigest", act.digest) }
    if !approvals.isEmpty { writer.add("approvals", approvals) }
    if let require = request.require { writer.add("requires", require.answers) }
    writer.add("offer", ifPresent: offer)
    writer.add("callback", optional: callback)
    writer.add("ran", ifPresent: ran)
  }

  /// Decodes the format of ``json``. Ignores unknown members of newer versions.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    let recorded = try reader.object("outcome", RecordedOutcome.init)
    self.init(
      id: try reader.required("id"), state: try reader.required("state"),
      covered: try reader.bool("covered") ?? false, position: try reader.count("position") ?? 0,
      generation: try reader.count("generation") ?? 0, attached: try reader.bool("attached") ?? false,
      requester: try reader.requiredObject("requester", Presentation.Requester.init),
      request: try reader.requiredObject("request", PresentationRequest.init(accepted:at:)),
      requestedAt: try reader.required("requestedAt"), presentedAt: try reader("presentedAt"),
      resolvedAt: try reader("resolvedAt"),
      outcome: recorded?.outcome,
      resolvedBy: try reader.object("resolvedBy", Presentation.Responder.init),
      callback: try reader.object("callback", Presentation.Callback.init), ruling: try reader.object("ruled", Ruling.init))
    if let recorded { extra = recorded.extra }
    snoozedUntil = try reader("snoozedUntil")
    because = try reader.object("because", Authority.init)
    approvals = try reader.objects("approvals", Approval.init)
    offer = try reader.object("offer", GrantOffer.init)
    ran = try reader.object("ran", Ran.init)
  }
}

extension Presentation.Callback: Record {
  package static var about: String {
    "State of a dismiss callback."
  }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    state = try f("state", ifAbsent: .pending, \.state)
    attempts = try f("attempts", ifAbsent: 0, \.attempts)
    lastError = try f(orNull: "lastError", \.lastError)
  }
}
