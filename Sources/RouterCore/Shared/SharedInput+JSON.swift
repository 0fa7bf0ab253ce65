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
      // Other events are decisions, which only the leader makes.
      guard [.delivered, .callbackDelivered, .callbackFailed, .ran].contains(kind) else {
        throw reader.error("is not an event that a host may report", at: "event")
      }
      let id = try reader("id", as: PresentationID.self)
      self = .record(try Event(at: at, kind: kind, presentation: id, detail: reader.any("detail") ?? [:]))
    case "restarted": self = .restarted
    case "presenters":
      let presenters = try reader("presenters", as: [SharedPresenter].self) ?? []
      self = .presenters(Dictionary(presenters.map { ($0.id, $0.identity) }) { _, last in last })
    case let type: self = .input(try PresentationInput(type: type, json, &reader))
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
      writer.add("type", "request")
      writer.add("id", ask.id)
      writer.add("request", text: ask.valid.text)
      writer.add("requester", ask.requester)
      writer.add("isAdmin", ask.isAdmin)
      writer.add("mayBeCritical", ask.mayBeCritical)
      writer.add("attached", ask.attached)
      writer.add("readsAnswers", ask.readsAnswers)
      if let key = ask.key { writer.add("key", key) }
      writer.add("hasCallback", ask.hasCallback)
      writer.add("boot", ifPresent: ask.boot)
      writer.add("program", ifPresent: ask.program)
    case .change(let change): change.addMembers(to: &writer)
    case .endPause(let id, let by):
      writer.add("type", "endPause")
      writer.add("id", id)
      writer.add("by", by)
    case .revoke(let id, let by, let reason, let isAdmin):
      writer.add("type", "revoke")
      writer.add("id", id)
      writer.add("by", ifPresent: by)
      writer.add("because", ifPresent: reason)
      writer.add("isAdmin", isAdmin)
    // Never sent, since only the leader's own file counts.
    case .loadRules: writer.add("type", "loadRules")
    // Each host is switched by itself.
    case .turn: writer.add("type", "turn")
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

  fileprivate init(type: String, _ json: JSONValue, _ reader: inout JSONObjectReader) throws(JSONError) {
    switch type {
    case "request":
      var ask = PresentationAsk(
        id: try reader.required("id"), valid: try reader.requiredObject("request", ValidRequest.init(ofHost:at:)),
        requester: try reader.required("requester"), isAdmin: try reader.required("isAdmin"),
        mayBeCritical: try reader.required("mayBeCritical"), attached: try reader.required("attached"),
        readsAnswers: try reader("readsAnswers") ?? false, key: try reader("key"),
        hasCallback: try reader.required("hasCallback"))
      (ask.boot, ask.program) = (try reader("boot"), try reader("program"))
      self = .request(ask)
    case "endPause": self = .endPause(try reader.required("id"), by: try reader.required("by"))
    case "revoke":
      self = .revoke(
        try reader.required("id"), by: try reader("by"), because: try reader("because"), isAdmin: try reader.required("isAdmin")
      )
    case "presenterAttached":
      let presenter = try reader.required("presenter", as: SharedPresenter.self)
      self = .presenterAttached(presenter.id, presenter.identity, surface: try reader.required("surface"))
    case "presenterDetached":
      self = .presenterDetached(PresenterID(try reader.required("number")), surface: try reader.required("surface"))
    default: self = .change(try Change(json: json))
    }
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
      self = .refused(try reader.required("problem"), retryAfter: try reader("retryAfter"))
    default: throw reader.error("is not known", at: "reply")
    }
  }
}
