/// An outcome as it is recorded and delivered: with what the person added.
package struct RecordedOutcome: Sendable, Hashable, JSONObject, SampledPart {
  package static var schema: JSONValue { .schema("Outcome") }
  package static var sample: RecordedOutcome { RecordedOutcome(.dismissed, AnswerExtra()) }

  package var outcome: PresentationOutcome
  package var extra: AnswerExtra

  package init(_ outcome: PresentationOutcome, _ extra: AnswerExtra) {
    self.outcome = outcome
    self.extra = extra
  }

  package func addMembers(to writer: inout JSONWriter) {
    outcome.addMembers(to: &writer)
    if extra.isSuppressed { writer.add("isSuppressed", true) }
    extra.addMembers(to: &writer)
  }

  package init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    outcome = try PresentationOutcome(json: json, at: pointer)
    extra = AnswerExtra(comment: json["comment"]?.string)
    extra.isSuppressed = json["isSuppressed"]?.bool ?? false
  }
}

extension Presentation {
  package var recordedOutcome: RecordedOutcome? { outcome.map { RecordedOutcome($0, extra) } }
}
