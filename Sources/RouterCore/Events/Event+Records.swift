// The members of each kind of event, as stored in `events.detail`.

extension Event.Presented: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    surface = try f("surface", \.surface)
    generation = try f("generation", \.generation)
    level = try f("level", \.level)
    presenters = try f("presenters", ifAbsent: [], \.presenters)
  }
}

extension Event.Withdrawn: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    reason = try f("reason", \.reason)
    generation = try f("generation", \.generation)
    place = try f("place", \.place)
    shownFor = try f("shownFor", \.shownFor)
    until = try f("until", \.until)
    by = try f("by", \.by)
  }
}

extension Event.Deferred: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    until = try f("until", \.until)
    by = try f("by", \.by)
  }
}

extension Event.Woken: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) { by = try f("by", \.by) }
}

extension Event.Answered: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let recorded = try f("outcome") { RecordedOutcome(.answered($0.answer), $0.extra) }
    guard case .answered(let answer) = recorded.outcome else {
      throw JSONError("does not fit the event's type", at: "/outcome")
    }
    (self.answer, extra) = (answer, recorded.extra)
    by = try f("by", \.by)
    _ = try f("stays") { _ in true }
    generation = try f("generation", \.generation)
    shownFor = try f("shownFor", \.shownFor)
  }
}

extension Event.Resolved: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let recorded = try f("outcome") { RecordedOutcome($0.outcome, $0.extra) }
    (outcome, extra) = (recorded.outcome, recorded.extra)
    by = try f("by", \.by)
    because = try f("because", \.because)
    finishedBy = try f("finishedBy", \.finishedBy)
    generation = try f("generation", \.generation)
    shownFor = try f("shownFor", \.shownFor)
  }
}

extension Event.CallbackDelivered: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) { attempts = try f("attempts", \.attempts) }
}

extension Event.CallbackFailed: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    error = try f("error", \.error)
    attempts = try f("attempts", \.attempts)
    let state = try f("state", \.state)
    let nextIn = try f("nextIn", \.nextIn)
    self.nextIn = nextIn
    try f.check(state == Self.state(nextIn: nextIn), "does not fit nextIn", at: "state")
  }

  private var state: Presentation.Callback.State { Self.state(nextIn: nextIn) }

  private static func state(nextIn: Duration?) -> Presentation.Callback.State { nextIn == nil ? .failed : .pending }
}

extension Event.PresenterFailed: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    by = try f("by", \.by)
    generation = try f("generation", \.generation)
    detail = try f("detail", \.detail)
  }
}

extension Event.PresenterAttached: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    surface = try f("surface", \.surface)
    by = try f("by", \.by)
    scope = try f.inline(\.scope)
  }
}

extension Event.PresenterDetached: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    surface = try f("surface", \.surface)
    by = try f("by", \.by)
  }
}

extension Event.Daemon: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) { process = try f("process", \.process) }
}

extension Event.Throttled: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    uid = try f("uid", \.uid)
    app = try f("app", \.app)
    duration = try f("for", ifAbsent: .zero, \.duration)
  }
}

extension Event.AccessDenied: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    by = try f("by", \.by)
    what = try f("what", \.what)
    reason = try f("reason", \.reason)
    unrecorded = try f("unrecorded", default: 0, \.unrecorded)
  }
}

extension Event.PageLinkIssued: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    by = try f("by", \.by)
    uid = try f("uid", \.uid)
  }
}

extension Event.Revoked: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    grant = try f("grant", \.grant)
    by = try f("by", \.by)
    reason = try f("because", \.reason)
  }
}

extension Event.Resumed: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    pause = try f("pause", \.pause)
    by = try f("by", \.by)
  }
}

extension Event.Pruned: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let through = try f("through") { Int($0.anchor.seq) }
    anchor = AuditHead(seq: Int64(through), hash: try f("hash") { Hexadecimal($0.anchor.hash) }.bytes)
    before = try f("before", \.before)
    events = try f("events", \.events)
    lastNumber = try f("lastNumber", \.lastNumber)
    carried = try f("carried", ifAbsent: []) { $0.carried.map(PresentationRecord.init) }.map(\.presentation)
    grants = try f("grants", default: [], \.grants)
    rules = try f("rules", \.rules)
    pauses = try f("pauses", default: [], \.pauses)
    by = try f("by", \.by)
  }
}

// MARK: Members of events

extension IdempotencyKey: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    text = try f("text", \.text)
    requestHash = try f("requestHash") { Hexadecimal($0.requestHash) }.bytes
  }
}

extension AttachedPresenter: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    name = try f("name", \.name, "", .schema("Label"))
    uid = try f("uid", \.uid)
    since = try f("since", \.since)
    scope = try f.inline(\.scope)
  }
}

// MARK: Handwritten conformances

extension PresentationPlace: JSONObject, JSONPart {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("lane", lane)
    writer.add("round", round)
    writer.add("rank", rank)
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    let (lane, round, rank) = (
      try reader.integer("lane"), try reader.required("round", as: Int.self), try reader.integer("rank")
    )
    guard (0..<Self.laneCount).contains(lane) else { throw reader.error("must be a lane from 0 to 4", at: "lane") }
    self.init(lane: lane, round: round, rank: rank)
  }
}

// Writes the request's text as it was received.
extension Event.Requested {
  func addMembers(to writer: inout JSONWriter) {
    writer.add("requester", requester)
    writer.add("request", text: asked.requestText)
    writer.add("attached", attached)
    if hasCallback { writer.add("onDismiss", "inProcess") }
    writer.add("ruled", ifPresent: ruling)
    writer.add("offer", ifPresent: offer)
    writer.add("number", number)
    writer.add("place", place)
    writer.add("level", level)
    if let key { writer.add("key", key) }
  }

  init(at: Timestamp, _ json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    asked = Asked(
      requester: try reader.required("requester"),
      request: try reader.required("request", as: AcceptedRequest.self).request,
      ruling: try reader("ruled"), at: at,
      number: try reader.required("number"), key: try reader("key"))
    attached = try reader.required("attached")
    place = try reader.required("place")
    level = try reader.required("level")
    hasCallback = try reader.string("onDismiss") != nil
    offer = try reader("offer")
    try reader.finish()
  }
}

// Decoding a rule set compiles its rules, which encoding should not.
extension Event.RulesLoaded {
  func addMembers(to writer: inout JSONWriter) {
    rules.addMembers(to: &writer)
    writer.add("by", ifPresent: by)
  }

  init(exactly json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    rules = try RuleSet(&reader)
    by = try reader("by")
    try reader.finish()
  }
}
