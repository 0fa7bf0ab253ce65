/// The fold: the only code that derives a presentation from its events. It serves live state, restarts, stored rows and
/// `log verify`.
extension Presentation {
  package init(_ event: Event) throws(FoldError) {
    guard let id = event.presentation, case .requested(let asked) = event.detail else {
      throw FoldError("it has no request on record")
    }
    self.init(id, asked)
  }

  package init(_ id: PresentationID, _ asked: Event.Requested) {
    self.init(id: id, attached: asked.attached, asked: asked.asked, place: asked.place, level: asked.level)
    if let offer = asked.offer { self.offer = offer }
    if asked.hasCallback || asked.request.onDismiss != nil { callback = Callback() }
  }

  /// Applies the next event of the presentation.
  ///
  /// - Throws: ``FoldError``, with nothing changed, for an event that is invalid in this state.
  package mutating func apply(_ event: Event) throws(FoldError) {
    if state == .resolved {
      switch event.detail {
      case .callbackDelivered, .callbackFailed, .delivered, .ran, .throttled, .accessDenied: break
      default: throw FoldError("\(event.kind.rawValue) after its end")
      }
    }
    switch event.detail {
    case .presented(let shown):
      guard shown.generation > generation else { throw FoldError("its generation does not rise") }
      guard shown.surface == request.surface else { throw FoldError("it is shown on another surface") }
      state = .presented
      covered = false
      generation = shown.generation
      level = shown.level
      presentedAt = presentedAt ?? event.at
      shownSince = event.at
      snoozedUntil = nil
    case .withdrawn(let withdrawn):
      try checkShown(withdrawn.generation, orCovered: withdrawn.place != nil)
      state = withdrawn.place == nil ? .presented : .queued
      covered = withdrawn.place == nil
      place = withdrawn.place ?? place
      shownFor += withdrawn.shownFor ?? .zero
      shownSince = nil
      snoozedUntil = withdrawn.until
    case .deferred(let deferred):
      guard state == .queued else { throw FoldError("it is deferred, and was not waiting") }
      snoozedUntil = deferred.until
    case .woken:
      guard snoozedUntil != nil else { throw FoldError("it is woken, and was not snoozed") }
      snoozedUntil = nil
    case .answered(let answered):
      try checkShown(answered.generation)
      if let by = answered.by, case .button(let button) = answered.answer, request.require != nil {
        // A person who chose another button may change the choice.
        approvals.removeAll { $0.button != button }
        approvals.append(Approval(by: by, at: event.at, button: button, comment: answered.extra.comment))
      } else if !request.flow {
        throw FoldError("it was answered and stays, and needs no other answer")
      }
      covered = true
      // Each answer restarts the shown time.
      shownFor = .zero
      shownSince = nil
    case .resolved(let end):
      if let generation = end.generation { try checkShown(generation) }
      state = .resolved
      covered = false
      changeRest { rest in
        (rest.outcome, rest.extra, rest.resolvedAt) = (end.outcome, end.extra, event.at)
        (rest.resolvedBy, rest.because) = (end.by, end.because)
        (rest.failedPresenters, rest.offer) = ([], nil)
      }
      shownFor = .zero
      (shownSince, snoozedUntil) = (nil, nil)
    case .granted: try checkShown(generation)
    case .presenterFailed(let failure):
      try checkShown(failure.generation)
      failedPresenters.append(failure.by)
    case .detached:
      guard attached else { throw FoldError("it is detached twice") }
      attached = false
    case .callbackDelivered(let delivery):
      if try isCallbackPending() { callback = Callback(state: .delivered, attempts: delivery.attempts) }
    case .callbackFailed(let failure):
      if try isCallbackPending() {
        callback = Callback(
          state: failure.nextIn == nil ? .failed : .pending, attempts: failure.attempts, lastError: failure.error)
      }
    case .ran(let ran):
      do { try check(ran) } catch {
        throw FoldError("its act was not approved, or is reported already", rejection: error)
      }
      self.ran = ran
    case .delivered, .throttled, .accessDenied, .paused: break
    case .requested: throw FoldError("it is requested twice")
    default: throw FoldError("\(event.kind.rawValue) is not about a prompt")
    }
  }

  private func checkShown(_ generation: Int, orCovered: Bool = false) throws(FoldError) {
    guard state == .presented, !covered || orCovered, generation == self.generation else {
      throw FoldError("it was not shown as generation \(generation)")
    }
  }

  /// Whether a callback result is still expected. Results after the last one are ignored: earlier leaders of shared surfaces
  /// could record them.
  private func isCallbackPending() throws(FoldError) -> Bool {
    guard state == .resolved, let callback else { throw FoldError("it has no callback to deliver") }
    return callback.state == .pending
  }
}

package struct FoldError: Error, Hashable, CustomStringConvertible {
  package let description: String
  /// The rejection for the sender of an invalid report, if known.
  package let rejection: PresentationRejection?

  package init(_ description: String, rejection: PresentationRejection? = nil) {
    (self.description, self.rejection) = (description, rejection)
  }
}

/// The complete folded state of a presentation as JSON, which a `pruned` event carries over the cut.
package struct PresentationRecord: JSONObject, JSONPart {
  var presentation: Presentation

  package init(_ presentation: Presentation) { self.presentation = presentation }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("presentation", presentation)
    writer.add("number", presentation.number)
    writer.add("place", presentation.place)
    writer.add("level", presentation.level)
    if let key = presentation.key { writer.add("key", key) }
    writer.add("shownFor", ifPresent: presentation.shownFor)
    writer.add("shownSince", ifPresent: presentation.shownSince?.description)
    if !presentation.failedPresenters.isEmpty { writer.add("failedPresenters", presentation.failedPresenters) }
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    presentation = try reader.required("presentation")
    let (number, key) = (try reader.required("number", as: Int.self), try reader("key", as: IdempotencyKey.self))
    presentation = presentation.numbered(number, key: key)
    presentation.place = try reader.required("place")
    presentation.level = try reader.required("level")
    presentation.shownFor = try reader("shownFor") ?? .zero
    presentation.shownSince = try reader("shownSince")
    presentation.failedPresenters = try reader("failedPresenters") ?? []
  }
}
