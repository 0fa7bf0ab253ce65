/// An outcome as it is recorded and delivered: with the state of the suppression toggle.
package struct RecordedOutcome: Sendable, Hashable, JSONObject {
  package var outcome: PresentationOutcome
  package var isSuppressed: Bool

  package init(_ outcome: PresentationOutcome, isSuppressed: Bool) {
    self.outcome = outcome
    self.isSuppressed = isSuppressed
  }

  package func addMembers(to writer: inout JSONWriter) {
    outcome.addMembers(to: &writer)
    if isSuppressed { writer.add("isSuppressed", true) }
  }

  package init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    outcome = try PresentationOutcome(json: json, at: pointer)
    isSuppressed = json["isSuppressed"]?.bool ?? false
  }
}

extension Presentation {
  package var recordedOutcome: RecordedOutcome? { outcome.map { RecordedOutcome($0, isSuppressed: isSuppressed) } }
}
