extension Event.Detail {
  /// Reads what ``addMembers(to:)`` writes.
  init(kind: Event.Kind, at: Timestamp, json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    switch kind {
    case .requested: self = .requested(try Event.Requested(at: at, &reader))
    case .presented:
      self = .presented(
        Event.Presented(
          surface: try reader.requiredString("surface"), generation: try reader.requiredCount("generation"),
          level: try reader.requiredCount("level"), presenters: try reader.objects("presenters", AttachedPresenter.init)))
    case .withdrawn:
      guard let reason: WithdrawalReason = try reader.choice("reason") else {
        throw reader.error("is missing", at: "reason")
      }
      self = .withdrawn(
        Event.Withdrawn(
          reason: reason, generation: try reader.requiredCount("generation"),
          place: try reader.object("place", PresentationPlace.init), shownFor: try reader.seconds("shownFor")))
    case .answered, .dismissed, .cancelled, .expired, .failed:
      let outcome = try reader.requiredObject("outcome", PresentationOutcome.init)
      guard Event.Kind(outcome.name) == kind else { throw reader.error("does not fit the event's type", at: "outcome") }
      let by = try reader.object("by", Resolver.init)
      if case .answered(let answer) = outcome, try reader.bool("stays") == true {
        self = .answered(
          Event.Answered(
            answer: answer, by: by, generation: try reader.requiredCount("generation"),
            shownFor: try reader.seconds("shownFor")))
      } else {
        self = .resolved(
          Event.Resolved(
            outcome: outcome, by: by, finishedBy: try reader.object("finishedBy", Resolver.init),
            generation: try reader.count("generation"), shownFor: try reader.seconds("shownFor")))
      }
    case .detached: self = .detached
    case .delivered: self = .delivered
    case .callbackDelivered: self = .callbackDelivered(attempts: try reader.requiredCount("attempts"))
    case .callbackFailed:
      guard let state: CallbackState.State = try reader.choice("state") else { throw reader.error("is missing", at: "state") }
      let nextIn = try reader.seconds("nextIn")
      guard state == (nextIn == nil ? .failed : .pending) else { throw reader.error("does not fit nextIn", at: "state") }
      self = .callbackFailed(
        Event.CallbackFailed(
          error: try reader.requiredString("error"), attempts: try reader.requiredCount("attempts"), nextIn: nextIn))
    case .presenterAttached:
      self = .presenterAttached(
        surface: try reader.requiredString("surface"), by: try reader.requiredObject("by", Resolver.init))
    case .presenterDetached:
      self = .presenterDetached(
        surface: try reader.requiredString("surface"), by: try reader.requiredObject("by", Resolver.init))
    case .daemonStarted: self = .daemonStarted(try reader.requiredObject("process", Resolver.init))
    case .daemonStopped: self = .daemonStopped(try reader.requiredObject("process", Resolver.init))
    case .throttled:
      self = .throttled(
        Event.Throttled(
          uid: try reader.uid("uid"), app: try reader.requiredString("app"), duration: try reader.seconds("for") ?? .zero))
    case .accessDenied:
      self = .accessDenied(
        Event.AccessDenied(
          by: try reader.requiredObject("by", Resolver.init), what: try reader.requiredString("what"),
          reason: try reader.requiredString("reason"), unrecorded: try reader.count("unrecorded") ?? 0))
    case .pruned: self = .pruned(try Event.Pruned(&reader))
    }
    try reader.finish()
  }
}

extension Event.Requested {
  fileprivate init(at: Timestamp, _ reader: inout JSONObjectReader) throws(JSONError) {
    asked = Asked(
      requester: try reader.requiredObject("requester", Requester.init),
      request: try reader.requiredObject("request", PresentationRequest.init(accepted:at:)), at: at,
      number: try reader.requiredCount("number"), key: try reader.object("key", IdempotencyKey.init))
    attached = try reader.requiredBool("attached")
    place = try reader.requiredObject("place", PresentationPlace.init)
    level = try reader.requiredCount("level")
    hasCallback = try reader.string("onDismiss") != nil
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
    by = try reader.object("by", Resolver.init)
  }
}

extension JSONObjectReader {
  typealias Decode<Value> = (JSONValue, String) throws(JSONError) -> Value

  mutating func object<Value>(_ key: String, _ decode: Decode<Value>) throws(JSONError) -> Value? {
    guard let value = value(key) else { return nil }
    return try decode(value, pointer(to: key))
  }

  mutating func requiredObject<Value>(_ key: String, _ decode: Decode<Value>) throws(JSONError) -> Value {
    guard let value = try object(key, decode) else { throw error("is missing", at: key) }
    return value
  }

  mutating func objects<Value>(_ key: String, _ decode: Decode<Value>) throws(JSONError) -> [Value] {
    var values: [Value] = []
    for (index, value) in try (array(key) ?? []).enumerated() {
      values.append(try decode(value, pointer(to: key) + "/\(index)"))
    }
    return values
  }

  mutating func requiredCount(_ key: String) throws(JSONError) -> Int {
    guard let count = try count(key) else { throw error("is missing", at: key) }
    return count
  }

  mutating func requiredBool(_ key: String) throws(JSONError) -> Bool {
    guard let truth = try bool(key) else { throw error("is missing", at: key) }
    return truth
  }

  mutating func integer(_ key: String) throws(JSONError) -> Int {
    guard let number = try number(key)?.integer else { throw error("must be a whole number", at: key) }
    return number
  }

  mutating func uid(_ key: String) throws(JSONError) -> UInt32 {
    guard let uid = UInt32(exactly: try requiredCount(key)) else { throw error("must be a user's number", at: key) }
    return uid
  }

  mutating func time(_ key: String) throws(JSONError) -> Timestamp {
    guard let time = try timestamp(key) else { throw error("is missing", at: key) }
    return time
  }

  /// A length of time in seconds, zero included, to the millisecond.
  mutating func seconds(_ key: String) throws(JSONError) -> Duration? {
    guard let number = try number(key) else { return nil }
    guard number.double >= 0, number.double < 1e12 else { throw error("must be a length of time in seconds", at: key) }
    return .milliseconds(Int64((number.double * 1000).rounded()))
  }
}
