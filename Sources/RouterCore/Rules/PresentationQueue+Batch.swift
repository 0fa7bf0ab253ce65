import OrderedCollections

/// One answer to several prompts of the same kind.
extension PresentationQueue {
  /// Answers a generation, and with it the presentations in `extra.also`. Those that have ended meanwhile, wait for their requesters
  /// after a restart, were snoozed or have another act than the person saw are left alone.
  mutating func answerAll(
    _ id: PresentationID, generation: Int?, with answer: PresentationAnswer, _ extra: AnswerExtra,
    by resolver: Presentation.Responder?, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    try open.checkShown(id, generation: generation)
    let presentation = open[id]!.presentation
    var plain = extra
    plain.also = [:]
    do {
      try presentation.request.check(answer)
      try presentation.request.check(plain)
      try presentation.checkAlso(extra.also.keys) { open[$0]?.presentation }
    } catch {
      throw .answerDoesNotFit(error)
    }
    let others = extra.also.filter { id, digest in
      guard let entry = open[id] else { return false }
      return entry.heldUntil == nil && !entry.isSnoozed && entry.request.act?.digest == digest
    }
    return decide(at: now) { queue in
      queue.resolve(id, .answered(answer), plain, by: resolver)
      for other in others.keys {
        queue.resolve(other, .answered(answer), AnswerExtra(comment: plain.comment), by: resolver, because: .with(id))
      }
    }
  }
}

extension Presentation {
  /// Checks that open presentations may be answered together with this one.
  fileprivate func checkAlso(
    _ others: some Sequence<PresentationID>, _ find: (PresentationID) -> Presentation?
  ) throws(JSONError) {
    for id in others {
      guard let other = find(id) else { continue }
      guard other.id != self.id, isLike(other) else {
        throw JSONError("must be a prompt like the answered one", at: "/also/\(id)")
      }
    }
  }

  /// Whether a person may answer both at once: two acts of the same user, app and verb, with the same buttons. Neither is secret,
  /// critical, destructive, stacked, a flow or for several people.
  package func isLike(_ other: Presentation) -> Bool {
    mayBeOneOfSeveral && other.mayBeOneOfSeveral && requester.process.owner == other.requester.process.owner
      && requester.app == other.requester.app && request.surface == other.request.surface
      && request.act?.verb == other.request.act?.verb && request.buttons == other.request.buttons
  }

  /// Whether a presentation can be answered now together with this one.
  package func mayAlsoAnswer(_ other: Presentation) -> Bool { other.id != id && other.snoozedUntil == nil && isLike(other) }

  private var mayBeOneOfSeveral: Bool {
    request.act != nil && !request.buttons.isEmpty && !request.buttons.contains { $0.role == .destructive }
      && request.priority != .critical && request.severity != .critical && !request.sensitive && !request.flow
      && request.over == nil && request.require == nil
  }
}
