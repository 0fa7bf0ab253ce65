package import OrderedCollections

/// An outcome as recorded and delivered, with the person's additions.
package struct RecordedOutcome: Sendable, Hashable {
  package var outcome: PresentationOutcome
  package var extra: AnswerExtra

  package init(_ outcome: PresentationOutcome, _ extra: AnswerExtra) {
    self.outcome = outcome
    self.extra = extra
  }
}

extension RecordedOutcome: Record {
  package static var schemaName: String { "Outcome" }
  package static var about: String { "The outcome. Only a person answers or dismisses." }
  package static var conditions: OrderedDictionary<String, JSONValue> {
    // The member that each type requires.
    let members: KeyValuePairs<JSONValue, JSONValue> = [
      "answered": "button", "answered": "value", "answered": "redacted", "dismissed": "type", "cancelled": "reason",
      "expired": "phase", "failed": "detail",
    ]
    return [
      "oneOf": .array(members.map { ["required": .array([$1]), "properties": ["type": ["const": $0]]] })
    ]
  }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let name = try f("type", \.outcome.name)
    let button = try f("button", \.outcome.button, "", .schema("Name"))
    let value = try f(orAny: "value", \.outcome.value)
    let redacted = try f(
      "redacted", \.outcome.redacted, "Present if only the requester receives the answer.", ["const": true])
    let reason = try f("reason", \.outcome.cancellation)
    let phase = try f("phase", \.outcome.phase)
    let detail = try f("detail", \.outcome.detail)
    let isSuppressed = try f(earlier: "isSuppressed") { $0.extra.isSuppressed ? true : nil }
    extra = AnswerExtra(comment: try f("comment", \.extra.comment, "", .schema("Comment")))
    extra.isSuppressed = isSuppressed ?? false
    switch name {
    case .answered:
      let answer: PresentationAnswer? =
        if redacted == true { .redacted } else { button.map { .button($0) } ?? value.map { .value($0) } }
      try f.check(answer != nil, "has neither button nor value")
      outcome = .answered(answer ?? .redacted)
    case .dismissed: outcome = .dismissed
    case .cancelled:
      try f.check(reason != nil, "is missing", at: "reason")
      outcome = .cancelled(reason ?? .requester)
    case .expired:
      try f.check(phase != nil, "is missing", at: "phase")
      outcome = .expired(phase ?? .queued)
    case .failed:
      try f.check(detail != nil, "is missing", at: "detail")
      outcome = .failed(detail ?? "")
    }
    // Rejects members that belong to other types.
    let (outcome, unknown) = (outcome, "is not a known field")
    try f.check(button == outcome.button, unknown, at: "button")
    try f.check(value == outcome.value, unknown, at: "value")
    try f.check(redacted != true || outcome.redacted == true, unknown, at: "redacted")
    try f.check(reason == outcome.cancellation, unknown, at: "reason")
    try f.check(phase == outcome.phase, unknown, at: "phase")
    try f.check(detail == outcome.detail, unknown, at: "detail")
  }
}

extension PresentationOutcome {
  fileprivate var button: String? { if case .answered(.button(let id)) = self { id } else { nil } }
  fileprivate var value: JSONValue? { if case .answered(.value(let value)) = self { value } else { nil } }
  fileprivate var redacted: Bool? { if case .answered(.redacted) = self { true } else { nil } }
  fileprivate var cancellation: CancellationReason? { if case .cancelled(let reason) = self { reason } else { nil } }
  fileprivate var phase: ExpiryPhase? { if case .expired(let phase) = self { phase } else { nil } }
  fileprivate var detail: String? { if case .failed(let detail) = self { detail } else { nil } }
}

extension Presentation {
  package var recordedOutcome: RecordedOutcome? { outcome.map { RecordedOutcome($0, extra) } }
}
