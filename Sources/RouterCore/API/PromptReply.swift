/// The response of `GET /v1/presentations/{id}/prompt`.
package struct PromptReply: Sendable, Hashable {
  package var id: PresentationID
  package var generation: Int
  package var prompt: PromptDescription
  /// The time until the presentation expires; `nil` if it does not.
  package var timeLeft: Duration?

  package init(id: PresentationID, generation: Int, prompt: PromptDescription, timeLeft: Duration?) {
    (self.id, self.generation, self.prompt, self.timeLeft) = (id, generation, prompt, timeLeft)
  }
}

extension PromptReply: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    id = try f("id", \.id)
    generation = try f("generation", \.generation)
    prompt = try f("prompt", \.prompt)
    timeLeft = try f(orNull: "timeLeft", \.timeLeft, "Seconds until it expires.")
  }
}
