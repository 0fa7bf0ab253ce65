extension Event {
  /// The text stored in `events.detail`.
  package var detailText: JSONText { JSONText { detail.addMembers(to: &$0) } }

  /// Decodes an event from its columns. Throws ``JSONError`` if the detail does not match the kind.
  package init(at: Timestamp, kind: AuditEvent.Kind, presentation: PresentationID?, detail: JSONValue) throws(JSONError) {
    self.init(at: at, presentation: presentation, try Detail(kind: kind, at: at, json: detail))
  }
}

extension Event.Detail {
  func addMembers(to writer: inout JSONWriter) {
    switch self {
    case .requested(let asked):
      writer.add("requester", asked.requester)
      writer.add("request", text: asked.asked.requestText)
      writer.add("attached", asked.attached)
      if asked.hasCallback { writer.add("onDismiss", "inProcess") }
      writer.add("ruled", ifPresent: asked.ruling)
      writer.add("offer", ifPresent: asked.offer)
      writer.add("number", asked.number)
      writer.add("place", asked.place)
      writer.add("level", asked.level)
      if let key = asked.key { writer.add("key", key) }
    case .presented(let shown):
      writer.add("surface", shown.surface)
      writer.add("generation", shown.generation)
      writer.add("level", shown.level)
      writer.add("presenters", shown.presenters)
    case .withdrawn(let withdrawn):
      writer.add("reason", withdrawn.reason.rawValue)
      writer.add("generation", withdrawn.generation)
      if let place = withdrawn.place { writer.add("place", place) }
      writer.add("shownFor", ifPresent: withdrawn.shownFor)
      writer.add("until", ifPresent: withdrawn.until?.description)
      writer.add("by", ifPresent: withdrawn.by)
    case .deferred(let until, let by):
      writer.add("until", until.description)
      writer.add("by", ifPresent: by)
    case .woken(let by): writer.add("by", ifPresent: by)
    case .answered(let answered):
      writer.add("outcome", RecordedOutcome(.answered(answered.answer), answered.extra))
      if let by = answered.by { writer.add("by", by) }
      writer.add("stays", true)
      writer.add("generation", answered.generation)
      writer.add("shownFor", ifPresent: answered.shownFor)
    case .resolved(let end):
      writer.add("outcome", RecordedOutcome(end.outcome, end.extra))
      if let by = end.by { writer.add("by", by) }
      writer.add("because", ifPresent: end.because)
      if let finisher = end.finishedBy { writer.add("finishedBy", finisher) }
      if let generation = end.generation { writer.add("generation", generation) }
      writer.add("shownFor", ifPresent: end.shownFor)
    case .detached, .delivered: break
    case .ran(let ran): ran.addMembers(to: &writer)
    case .callbackDelivered(let attempts): writer.add("attempts", attempts)
    case .callbackFailed(let failure):
      writer.add("error", failure.error)
      writer.add("attempts", failure.attempts)
      writer.add("state", (failure.nextIn == nil ? Presentation.Callback.State.failed : .pending).rawValue)
      writer.add("nextIn", ifPresent: failure.nextIn)
    case .presenterFailed(let failure):
      writer.add("by", failure.by)
      writer.add("generation", failure.generation)
      writer.add("detail", failure.detail)
    case .presenterAttached(let surface, let by, let scope):
      writer.add("surface", surface)
      writer.add("by", by)
      scope.addMembers(to: &writer)
    case .presenterDetached(let surface, let by):
      writer.add("surface", surface)
      writer.add("by", by)
    case .daemonStarted(let process), .daemonStopped(let process): writer.add("process", process)
    case .throttled(let throttled):
      writer.add("uid", Int(throttled.uid))
      writer.add("app", throttled.app)
      writer.add("for", .seconds(throttled.duration))
    case .accessDenied(let denied):
      writer.add("by", denied.by)
      writer.add("what", denied.what)
      writer.add("reason", denied.reason)
      if denied.unrecorded > 0 { writer.add("unrecorded", denied.unrecorded) }
    case .pageLinkIssued(let link):
      writer.add("by", link.by)
      writer.add("uid", Int(link.uid))
    case .granted(let grant): grant.addMembers(to: &writer)
    case .revoked(let revoked):
      writer.add("grant", revoked.grant.description)
      if let by = revoked.by { writer.add("by", by) }
    case .paused(let pause): pause.addMembers(to: &writer)
    case .resumed(let pause, let by):
      writer.add("pause", pause.description)
      writer.add("by", by)
    case .rulesLoaded(let loaded):
      loaded.rules.addMembers(to: &writer)
      if let by = loaded.by { writer.add("by", by) }
    case .pruned(let pruned):
      writer.add("through", Int(pruned.anchor.seq))
      writer.add("hash", pruned.anchor.hash.hexadecimal)
      writer.add("before", pruned.before.description)
      writer.add("events", pruned.events)
      writer.add("lastNumber", pruned.lastNumber)
      writer.add("carried", pruned.carried.map(PresentationRecord.init))
      if !pruned.grants.isEmpty { writer.add("grants", pruned.grants) }
      writer.add("rules", ifPresent: pruned.rules)
      if !pruned.pauses.isEmpty { writer.add("pauses", pruned.pauses) }
      if let by = pruned.by { writer.add("by", by) }
    }
  }
}

// MARK: Nested objects

extension PresentationPlace: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("lane", lane)
    writer.add("round", round)
    writer.add("rank", rank)
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    let (lane, round, rank) = (
      try reader.integer("lane"), try reader.requiredCount("round"), try reader.integer("rank")
    )
    guard (0..<Self.laneCount).contains(lane) else { throw reader.error("must be a lane from 0 to 4", at: "lane") }
    self.init(lane: lane, round: round, rank: rank)
  }
}

extension IdempotencyKey: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("text", text)
    writer.add("requestHash", requestHash.hexadecimal)
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    guard let hash = [UInt8](hexadecimal: try reader.requiredString("requestHash")) else {
      throw reader.error("must be hexadecimal", at: "requestHash")
    }
    self.init(text: try reader.requiredString("text"), requestHash: hash)
  }
}

extension AttachedPresenter: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("name", name)
    writer.add("uid", Int(uid))
    writer.add("since", since.description)
    scope.addMembers(to: &writer)
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    self.init(
      name: try reader.requiredString("name"), uid: try reader.uid("uid"), since: try reader.time("since"),
      scope: try PresenterScope(&reader))
  }
}
