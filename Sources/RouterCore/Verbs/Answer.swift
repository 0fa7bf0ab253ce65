package import OrderedCollections

extension Verbs {
  /// Answers the current showing. Ends the presentation, unless it belongs to a flow or needs further approvals.
  package struct Answer: Verb {
    package static let name = "answer"
    package static let guarded = Guarded.answer
    package static let isRepeatable = false
    package static let repetition = Repetition.ofShowing

    package static let about = "A button's id or a value."
    package static let conditions: OrderedDictionary<String, JSONValue> = [
      "oneOf": [["required": ["button"]], ["required": ["value"]]],
      "not": ["required": ["also", "remember"], "properties": ["also": ["minProperties": 1]]],
    ]

    package var answer: PresentationAnswer
    package var extra: AnswerExtra

    package init(_ answer: PresentationAnswer, _ extra: AnswerExtra = AnswerExtra()) {
      (self.answer, self.extra) = (answer, extra)
    }

    package init(_ f: inout Fields<Self>) throws(JSONError) {
      answer = try f.inline(\.answer)
      extra = try f.inline(\.extra)
    }

    package func checkTexts() throws(JSONError) { try extra.checkText() }

    package func check(
      by party: Presentation.Responder?, on presentation: Presentation, _ policy: PresentationSurfaces.Policy
    ) throws(PresentationRejection) {
      try presentation.checkApproval(answer, by: party, policy)
    }

    package func leads(to outcome: PresentationOutcome) -> Bool {
      outcome == .answered(answer) || outcome == .answered(.redacted)
    }

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      let others = extra.also.keys.compactMap { surfaces.entry($0)?.presentation }
      for other in others {
        try other.checkAnswer(by: change.by, surfaces.policy)
        try surfaces.checkOwn(other, by: change.by)
      }
      // Reports a stale answer as stale even if it is invalid.
      try surfaces.checkShown(change)
      let (plain, grant) = try checked(for: entry.presentation, with: others, by: change.by, at: surfaces.now.wall)
      if let grant { try surfaces.checkRoom(for: grant) }

      if let grant { surfaces.record(.granted(grant), of: change.id) }
      if entry.request.flow {
        surfaces.keep(answer, plain, of: entry, by: change.by)
      } else if let by = change.by, entry.presentation.needsOthers(after: answer, by: by, at: surfaces.now.wall) {
        surfaces.keep(answer, plain, of: entry, by: by)
        surfaces.withdrawIfUnwatched(change.id)
      } else {
        surfaces.resolve(change.id, .answered(answer), plain, by: change.by)
      }
      // Skips presentations that have ended, are queued, or have a different act than the person saw.
      for (id, digest) in extra.also {
        guard let other = surfaces.entry(id), other.heldUntil == nil, !other.isSnoozed, other.request.act?.digest == digest
        else {
          continue
        }
        surfaces.resolve(
          id, .answered(answer), AnswerExtra(comment: plain.comment), by: change.by, because: .with(change.id))
      }
      if let grant { surfaces.settleWaiting(by: grant) }
    }

    /// Checks the answer against its request. Returns the answer to record, and the grant that it creates.
    private func checked(
      for presentation: Presentation, with others: [Presentation], by party: Presentation.Responder?, at now: Timestamp
    ) throws(PresentationRejection) -> (AnswerExtra, Grant?) {
      var plain = extra
      (plain.remember, plain.also) = (nil, [:])
      do throws(JSONError) {
        try presentation.request.check(answer)
        try presentation.request.check(plain)
        let grant = try extra.remember.map { choice throws(JSONError) in
          try presentation.grant(answer, choice, by: party, at: now)
        }
        try presentation.checkAlso(others)
        return (plain, grant)
      } catch {
        throw .answerDoesNotFit(error)
      }
    }
  }
}

extension PresentationAnswer: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let button = try f("button", \.button, "For alerts and confirmation dialogs.")
    let value = try f(
      orAny: "value", \.value, "For sheets and covers: an object that matches the schema; without a schema, any JSON.")
    try f.check((button == nil) != (value == nil), "must have either button or value")
    self = button.map { .button($0) } ?? value.map { .value($0) } ?? .value(.null)
  }

  private var button: String? { if case .button(let id) = self { id } else { nil } }
  private var value: JSONValue? { if case .value(let value) = self { value } else { nil } }
}
