/// The format of an inbox row. The daemons of all hosts must agree on it.
extension SharedInput: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    switch self {
    case .input(let input): input.addMembers(to: &writer)
    case .record(let event):
      writer.add("type", "record")
      writer.add("event", event.kind.rawValue)
      writer.add("at", event.at.description)
      writer.add("id", ifPresent: event.presentation?.description)
      writer.add("detail", text: event.detailText)
    case .restarted: writer.add("type", "restarted")
    case .presenters(let presenters):
      writer.add("type", "presenters")
      writer.add(
        "presenters", presenters.sorted { $0.key.number < $1.key.number }.map { SharedPresenter(id: $0, identity: $1) })
    }
  }

  package init(json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    switch try reader.required("type", as: String.self) {
    case "record":
      let (kind, at) = (try reader.required("event", as: AuditEvent.Kind.self), try reader.required("at", as: Timestamp.self))
      // Other events are decisions, which only the leader takes.
      guard [.delivered, .callbackDelivered, .callbackFailed, .ran].contains(kind) else {
        throw reader.error("is not an event that a host may report", at: "event")
      }
      let id = try reader("id", as: PresentationID.self)
      self = .record(try Event(at: at, kind: kind, presentation: id, detail: reader.any("detail") ?? [:]))
    case "restarted": self = .restarted
    case "presenters":
      let presenters = try reader.objects("presenters", SharedPresenter.init)
      self = .presenters(Dictionary(presenters.map { ($0.id, $0.identity) }) { _, last in last })
    case let type: self = .input(try PresentationInput(type: type, &reader))
    }
  }
}

private struct SharedPresenter {
  let id: PresenterID
  let identity: PresenterIdentity
}

extension SharedPresenter: Record {
  static var ignoresUnknown: Bool { true }

  init(_ f: inout Fields<Self>) throws(JSONError) {
    id = PresenterID(try f("number", \.id.number))
    let by = try f("by", \.identity.resolver)
    identity = PresenterIdentity(
      name: by.presenter ?? "", process: by.process, since: try f("since", \.identity.since),
      scope: try f.inline(\.identity.scope))
  }
}

extension PresentationInput {
  fileprivate func addMembers(to writer: inout JSONWriter) {
    switch self {
    case .request(let ask):
      writer.add(type: "request", ask.id)
      writer.add("request", text: ask.valid.text)
      writer.add("requester", ask.requester)
      writer.add("isAdmin", ask.isAdmin)
      writer.add("mayBeCritical", ask.mayBeCritical)
      writer.add("attached", ask.attached)
      writer.add("readsAnswers", ask.readsAnswers)
      if let key = ask.key { writer.add("key", key) }
      writer.add("hasCallback", ask.hasCallback)
      writer.add("boot", ifPresent: ask.boot)
    case .answer(let id, let generation, let answer, let extra, let by):
      writer.add(type: "answer", id, by: by)
      AnswerBody(answer: answer, extra, generation: generation).addMembers(to: &writer)
    case .dismiss(let id, let generation, let extra, let by):
      writer.add(type: "dismiss", id, by: by)
      AnswerBody(extra, generation: generation).addMembers(to: &writer)
    case .snooze(let id, let generation, let duration, let by):
      writer.add(type: "snooze", id, by: by)
      SnoozeBody(duration: duration, generation: generation).addMembers(to: &writer)
    case .wake(let id, let by): writer.add(type: "wake", id, by: by)
    case .raise(let id, let by): writer.add(type: "raise", id, by: by)
    case .pauseSession(let id, let duration, let by):
      writer.add(type: "pauseSession", id, by: by)
      writer.add("for", .seconds(duration))
    case .endPause(let id, let by): writer.add(type: "endPause", id, by: by)
    case .fail(let id, let generation, let detail, let by):
      writer.add(type: "fail", id, by: by)
      AnswerBody(detail: detail, generation: generation).addMembers(to: &writer)
    case .cancel(let id, let by, let isAdmin): writer.add(type: "cancel", id, by: by, isAdmin: isAdmin)
    case .finish(let id, let by, let isAdmin): writer.add(type: "finish", id, by: by, isAdmin: isAdmin)
    case .revoke(let id, let by, let isAdmin): writer.add(type: "revoke", id, by: by, isAdmin: isAdmin)
    case .detach(let id): writer.add(type: "detach", id)
    case .requesterGone(let id, let reason):
      writer.add(type: "requesterGone", id)
      writer.add("reason", reason.rawValue)
    // Never sent: the leader's own file counts.
    case .loadRules: writer.add("type", "loadRules")
    case .claim(let id): writer.add(type: "claim", id)
    case .presenterAttached(let id, let identity, let surface):
      writer.add("type", "presenterAttached")
      writer.add("surface", surface)
      writer.add("presenter", SharedPresenter(id: id, identity: identity))
    case .presenterDetached(let id, let surface):
      writer.add("type", "presenterDetached")
      writer.add("surface", surface)
      writer.add("number", id.number)
    }
  }

  fileprivate init(type: String, _ reader: inout JSONObjectReader) throws(JSONError) {
    if type == "presenterAttached" {
      let presenter = try reader.requiredObject("presenter", SharedPresenter.init)
      self = .presenterAttached(presenter.id, presenter.identity, surface: try reader.required("surface"))
      return
    }
    if type == "presenterDetached" {
      self = .presenterDetached(
        PresenterID(try reader.required("number")), surface: try reader.required("surface"))
      return
    }
    guard let id = try reader("id", as: PresentationID.self) else { throw reader.error("is missing", at: "id") }
    switch type {
    case "request":
      var ask = PresentationAsk(
        id: id, valid: try reader.requiredObject("request", ValidRequest.init(json:at:)),
        requester: try reader.requiredObject("requester", Presentation.Requester.init),
        isAdmin: try reader.required("isAdmin"), mayBeCritical: try reader.required("mayBeCritical"),
        attached: try reader.required("attached"), readsAnswers: try reader.bool("readsAnswers") ?? false,
        key: try reader.object("key", IdempotencyKey.init), hasCallback: try reader.required("hasCallback"))
      ask.boot = try reader.string("boot")
      self = .request(ask)
    case "answer":
      let (button, value) = (try reader.string("button"), reader.any("value"))
      guard let answer = button.map(PresentationAnswer.button) ?? value.map(PresentationAnswer.value) else {
        throw reader.error("is missing", at: "value")
      }
      self = .answer(
        id, generation: try reader.count("generation"), answer, try reader.inline(), by: try reader.responder())
    case "dismiss":
      self = .dismiss(
        id, generation: try reader.count("generation"), try reader.inline(), by: try reader.responder())
    case "snooze":
      let body = try reader.inline(SnoozeBody.self)
      self = .snooze(id, generation: body.generation, for: body.duration, by: try reader.responder())
    case "wake": self = .wake(id, by: try reader.requiredResponder())
    case "raise": self = .raise(id, by: try reader.requiredResponder())
    case "pauseSession":
      self = .pauseSession(id, for: try reader.inline(SnoozeBody.self).duration, by: try reader.requiredResponder())
    case "endPause": self = .endPause(id, by: try reader.requiredResponder())
    case "fail":
      self = .fail(
        id, generation: try reader.count("generation"), detail: try reader.string("detail") ?? "",
        by: try reader.responder())
    case "cancel":
      self = .cancel(id, by: try reader.requiredResponder(), isAdmin: try reader.required("isAdmin"))
    case "finish":
      self = .finish(id, by: try reader.requiredResponder(), isAdmin: try reader.required("isAdmin"))
    case "revoke":
      self = .revoke(id, by: try reader.responder(), isAdmin: try reader.required("isAdmin"))
    case "detach": self = .detach(id)
    case "requesterGone": self = .requesterGone(id, try reader.required("reason"))
    case "claim": self = .claim(id)
    default: throw reader.error("is not known", at: "type")
    }
  }
}

extension JSONWriter {
  /// Adds the members that most inputs have.
  fileprivate mutating func add(
    type: String, _ id: PresentationID, by: Presentation.Responder? = nil, isAdmin: Bool? = nil
  ) {
    add("type", type)
    add("id", id.description)
    add("by", ifPresent: by)
    if let isAdmin { add("isAdmin", isAdmin) }
  }
}

extension JSONObjectReader {
  fileprivate mutating func responder() throws(JSONError) -> Presentation.Responder? {
    try object("by", Presentation.Responder.init)
  }

  fileprivate mutating func requiredResponder() throws(JSONError) -> Presentation.Responder {
    try requiredObject("by", Presentation.Responder.init)
  }
}

extension SharedReply: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    switch self {
    case .accepted: writer.add("reply", "accepted")
    case .joined(let id):
      writer.add("reply", "joined")
      writer.add("id", id.description)
    case .ended(let id):
      writer.add("reply", "ended")
      writer.add("id", id.description)
    case .notOpen: writer.add("reply", "notOpen")
    case .refused(let problem, let retryAfter):
      writer.add("reply", "refused")
      writer.add("problem", problem)
      writer.add("retryAfter", ifPresent: retryAfter)
    }
  }

  package init(json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    let id = try reader("id", as: PresentationID.self)
    switch (try reader.required("reply", as: String.self), id) {
    case ("accepted", _): self = .accepted
    case ("joined", let id?): self = .joined(id)
    case ("ended", let id?): self = .ended(id)
    case ("notOpen", _): self = .notOpen
    case ("refused", _):
      let problem = try reader.requiredObject("problem", Problem.init(json:at:))
      self = .refused(problem, retryAfter: try reader("retryAfter"))
    default: throw reader.error("is not known", at: "reply")
    }
  }
}
