/// The body of a presenter's `answer`, `dismiss` and `fail`, and of a requester's `finish`.
package struct AnswerBody: Sendable, Hashable, JSONObject {
  package var answer: PresentationAnswer?
  package var extra = AnswerExtra()
  package var detail: String?
  /// The showing that the answer is for (default: the current one).
  package var generation: Int?

  package init(
    answer: PresentationAnswer? = nil, _ extra: AnswerExtra = AnswerExtra(), detail: String? = nil, generation: Int? = nil
  ) {
    self.answer = answer
    self.extra = extra
    self.detail = detail
    self.generation = generation
  }

  /// The call that the body belongs to, which determines its members.
  package enum Purpose: String, Sendable, Hashable {
    case answer, dismiss, fail
    /// Has no members: finishing a flow does not depend on the showing.
    case finish
  }

  package func addMembers(to writer: inout JSONWriter) {
    switch answer {
    case .button(let id): writer.add("button", id)
    case .value(let value): writer.add("value", value)
    case .redacted, nil: break
    }
    extra.addMembers(to: &writer)
    writer.add("detail", ifPresent: detail)
    if let generation { writer.add("generation", generation) }
  }

  package init(json: JSONValue, for purpose: Purpose) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    switch purpose {
    case .answer:
      let button = try reader.string("button")
      let value = reader.any("value")
      switch (button, value) {
      case (let button?, nil): answer = .button(button)
      case (nil, let value?): answer = .value(value)
      default: throw JSONError("must have either button or value")
      }
      extra = try reader.inline()
    case .dismiss: extra = AnswerExtra(comment: try reader.string("comment"))
    case .finish: break
    case .fail:
      let detail = try reader.string("detail") ?? "the presenter cannot show it"
      try TextRule.value.check(detail, at: "/detail")
      self.detail = detail
    }
    try extra.checkText()
    if purpose != .finish { generation = try reader.count("generation") }
    try reader.finish()
  }
}
