extension Event.Detail {
  package init(kind: AuditEvent.Kind, at: Timestamp, json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    switch kind {
    case .requested: self = .requested(try Event.Requested(at: at, &reader))
    case .presented:
      self = .presented(
        Event.Presented(
          surface: try reader.requiredString("surface"), generation: try reader.requiredCount("generation"),
          level: try reader.requiredCount("level"), presenters: try reader.objects("presenters", AttachedPresenter.init)))
    case .withdrawn:
      self = .withdrawn(
        Event.Withdrawn(
          reason: try reader.requiredChoice("reason"), generation: try reader.requiredCount("generation"),
          place: try reader.object("place", PresentationPlace.init), shownFor: try reader.seconds("shownFor"),
          until: try reader.timestamp("until"), by: try reader.object("by", Presentation.Responder.init)))
    case .deferred:
      self = .deferred(until: try reader.time("until"), by: try reader.object("by", Presentation.Responder.init))
    case .woken: self = .woken(by: try reader.object("by", Presentation.Responder.init))
    case .answered, .dismissed, .cancelled, .expired, .failed:
      let recorded = try reader.requiredObject("outcome", RecordedOutcome.init)
      let outcome = recorded.outcome
      guard outcome.name.rawValue == kind.rawValue else { throw reader.error("does not fit the event's type", at: "outcome") }
      let by = try reader.object("by", Presentation.Responder.init)
      if case .answered(let answer) = outcome, try reader.bool("stays") == true {
        self = .answered(
          Event.Answered(
            answer: answer, extra: recorded.extra, by: by, generation: try reader.requiredCount("generation"),
            shownFor: try reader.seconds("shownFor")))
      } else {
        self = .resolved(
          Event.Resolved(
            outcome: outcome, extra: recorded.extra, by: by,
            because: try reader.object("because", Presentation.Authority.init),
            finishedBy: try reader.object("finishedBy", Presentation.Responder.init),
            generation: try reader.count("generation"), shownFor: try reader.seconds("shownFor")))
      }
    case .detached: self = .detached
    case .delivered: self = .delivered
    case .ran: self = .ran(try Presentation.Ran(&reader))
    case .callbackDelivered: self = .callbackDelivered(attempts: try reader.requiredCount("attempts"))
    case .callbackFailed:
      let state = try reader.requiredChoice("state", of: Presentation.Callback.State.self)
      let nextIn = try reader.seconds("nextIn")
      guard state == (nextIn == nil ? .failed : .pending) else { throw reader.error("does not fit nextIn", at: "state") }
      self = .callbackFailed(
        Event.CallbackFailed(
          error: try reader.requiredString("error"), attempts: try reader.requiredCount("attempts"), nextIn: nextIn))
    case .presenterFailed:
      self = .presenterFailed(
        Event.PresenterFailed(
          by: try reader.requiredObject("by", Presentation.Responder.init), generation: try reader.requiredCount("generation"),
          detail: try reader.requiredString("detail")))
    case .presenterAttached:
      self = .presenterAttached(
        surface: try reader.requiredString("surface"), by: try reader.requiredObject("by", Presentation.Responder.init),
        try PresenterScope(&reader))
    case .presenterDetached:
      self = .presenterDetached(
        surface: try reader.requiredString("surface"), by: try reader.requiredObject("by", Presentation.Responder.init))
    case .daemonStarted: self = .daemonStarted(try reader.requiredObject("process", Presentation.Responder.init))
    case .daemonStopped: self = .daemonStopped(try reader.requiredObject("process", Presentation.Responder.init))
    case .throttled:
      self = .throttled(
        Event.Throttled(
          uid: try reader.uid("uid"), app: try reader.requiredString("app"), duration: try reader.seconds("for") ?? .zero))
    case .accessDenied:
      self = .accessDenied(
        Event.AccessDenied(
          by: try reader.requiredObject("by", Presentation.Responder.init), what: try reader.requiredString("what"),
          reason: try reader.requiredString("reason"), unrecorded: try reader.count("unrecorded") ?? 0))
    case .pageLinkIssued:
      self = .pageLinkIssued(
        Event.PageLinkIssued(by: try reader.requiredObject("by", Presentation.Responder.init), uid: try reader.uid("uid")))
    case .granted: self = .granted(try Grant(&reader))
    case .revoked:
      self = .revoked(
        Event.Revoked(
          grant: try reader.presentationID("grant"), by: try reader.object("by", Presentation.Responder.init)))
    case .paused: self = .paused(try SessionPause(&reader))
    case .resumed:
      self = .resumed(
        pause: try reader.presentationID("pause"), by: try reader.requiredObject("by", Presentation.Responder.init))
    case .rulesLoaded:
      self = .rulesLoaded(
        Event.RulesLoaded(try RuleSet(&reader), by: try reader.object("by", Presentation.Responder.init)))
    case .pruned: self = .pruned(try Event.Pruned(&reader))
    }
    try reader.finish()
  }
}

extension Event.Requested {
  fileprivate init(at: Timestamp, _ reader: inout JSONObjectReader) throws(JSONError) {
    asked = Asked(
      requester: try reader.requiredObject("requester", Presentation.Requester.init),
      request: try reader.requiredObject("request", PresentationRequest.init(accepted:at:)),
      ruling: try reader.object("ruled", Ruling.init), at: at,
      number: try reader.requiredCount("number"), key: try reader.object("key", IdempotencyKey.init))
    attached = try reader.requiredBool("attached")
    place = try reader.requiredObject("place", PresentationPlace.init)
    level = try reader.requiredCount("level")
    hasCallback = try reader.string("onDismiss") != nil
    offer = try reader.object("offer", GrantOffer.init)
  }
}

extension Event.Pruned {
  fileprivate init(_ reader: inout JSONObjectReader) throws(JSONError) {
    guard let hash = [UInt8](hexadecimal: try reader.requiredString("hash")) else {
      throw reader.error("must be hexadecimal", at: "hash")
    }
    anchor = AuditHead(seq: Int64(try reader.requiredCount("through")), hash: hash)
    before = try reader.time("before")
    events = try reader.requiredCount("events")
    lastNumber = try reader.requiredCount("lastNumber")
    carried = try reader.objects("carried", PresentationRecord.init).map(\.presentation)
    grants = try reader.objects("grants", Grant.init)
    rules = try reader.object("rules") { (json, pointer) throws(JSONError) in
      var reader = try JSONObjectReader(json, at: pointer)
      return try RuleSet(&reader)
    }
    pauses = try reader.objects("pauses", SessionPause.init)
    by = try reader.object("by", Presentation.Responder.init)
  }
}
