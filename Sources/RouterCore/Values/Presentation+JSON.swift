extension Presentation: Record {
  package static var ignoresUnknown: Bool { true }

  /// The presentation as the HTTP API returns it.
  public var json: JSONValue { jsonText.value }

  /// Encoded once after the end, since only ``rest`` changes then.
  package var jsonText: JSONText { state == .resolved ? rest.text { JSONText(self) } : JSONText(self) }

  /// Decodes the format of ``json``. Ignores unknown members of newer versions.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) { try self.init(record: json, at: pointer) }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    id = try f("id", \.id)
    state = try f("state", \.state)
    covered = try f(
      "covered", ifAbsent: false, \.covered,
      "Whether another presentation is stacked on it, so that it cannot be answered now.")
    position = try f(
      "position", ifAbsent: 0, \.position, "Queue position: 0 when shown, else the number ahead of it on its surface.")
    generation = try f("generation", ifAbsent: 0, \.generation, "Number of showings.")
    snoozedUntil = try f(
      "snoozedUntil", \.snoozedUntil,
      "When it returns to the queue, if a person snoozed it or paused its session. Absent otherwise.")
    attached = try f("attached", ifAbsent: false, \.attached, "Whether it ends with its requester's connection.")
    asked = try f.inline(\.asked)
    presentedAt = try f(orNull: "presentedAt", \.presentedAt, "When it was first shown.")
    var rest = Rest()
    rest.resolvedAt = try f(orNull: "resolvedAt", \.resolvedAt)
    let recorded = try f(orNull: "outcome", \.recordedOutcome)
    (rest.outcome, rest.extra) = (recorded?.outcome, recorded?.extra ?? AnswerExtra())
    rest.resolvedBy = try f(orNull: "resolvedBy", \.resolvedBy, "The party that answered, dismissed, failed or cancelled it.")
    rest.because = try f(
      "because", \.because,
      "The authority that decided it without a direct answer. With a grant, resolvedBy is the person who decided earlier. Absent otherwise."
    )
    _ = try f(
      "actDigest", { $0.request.act?.digest },
      "The SHA-256 of the request's act, as JSON with sorted members. Absent without an act.", .sha256)
    rest.approvals = try f(
      "approvals", default: [], \.approvals, "The people who have answered, before the last. Absent without any.")
    _ = try f(
      "requires", { $0.request.require?.answers }, "How many people must answer. Absent if one is enough.",
      ["type": "integer", "minimum": 2])
    rest.offer = try f(
      "offer", \.offer, "How its answer can be remembered, while it is open. Absent if it cannot.")
    rest.callback = try f(orNull: "callback", \.callback)
    rest.ran = try f("ran", \.ran, "The result of its act, once its requester has reported it.")
    self.rest = Shared(rest)
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
