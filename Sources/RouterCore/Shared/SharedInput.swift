/// A host's input to the leader of a shared surface: one row of the inbox.
package enum SharedInput: Sendable, Hashable {
  case input(PresentationInput)
  /// An event that only the host knows, such as the delivery of an outcome.
  case record(Event)
  /// The host's daemon has started or stopped. Its attached requests end, and it has no presenters.
  case restarted
  /// All presenters of the host, sent to a new leader.
  case presenters([PresenterID: PresenterIdentity])
}

extension SharedInput {
  /// Checks the texts that a daemon checks before it sends an input. The rules check those of requests and answers.
  package func check() throws(JSONError) {
    switch self {
    case .input(let input): try input.check()
    case .record(let event):
      if case .callbackFailed(let failure) = event.detail { try TextRule.value.check(failure.error, at: "/detail/error") }
      if case .ran(let ran) = event.detail {
        try ran.by.check()
        try ran.report.check(at: "/detail")
      }
    case .restarted: break
    case .presenters(let presenters):
      for identity in presenters.values { try identity.check() }
    }
  }
}

extension PresentationInput {
  fileprivate func check() throws(JSONError) {
    switch self {
    case .request(let ask):
      try TextRule.label.check(ask.requester.app, at: "/requester/app")
      try ask.requester.process.check(at: "/requester")
    case .change(let change):
      try change.by?.check()
      try change.verb.checkTexts()
    case .revoke(_, let by, _, _): try by?.check()
    case .endPause(_, let by): try by.check()
    case .presenterAttached(_, let identity, _): try identity.check()
    case .presenterDetached, .loadRules, .turn: break
    }
  }
}

extension Presentation.Responder {
  fileprivate func check() throws(JSONError) {
    if let presenter { try TextRule.label.check(presenter, at: "/by/presenter") }
    try process.check(at: "/by")
  }
}

extension PresenterIdentity {
  fileprivate func check() throws(JSONError) {
    try TextRule.label.check(name, at: "/presenter/by/presenter")
    try process.check(at: "/presenter/by")
  }
}

extension ProcessIdentity {
  /// Far more than the paths of a process and its ancestors need.
  private static let maximumBytes = 64 << 10

  /// Checks the size: the leader stores it for each presenter and request, and records it with each act.
  fileprivate func check(at pointer: String) throws(JSONError) {
    guard text.bytes.count <= Self.maximumBytes else {
      throw JSONError("must have at most \(Self.maximumBytes) bytes", at: pointer)
    }
  }
}

/// The leader's reply to an input.
package enum SharedReply: Sendable, Hashable {
  case accepted
  /// The request's key belongs to an open presentation, which it joins.
  case joined(PresentationID)
  /// The request's key belongs to a presentation that has just ended.
  case ended(PresentationID)
  /// No open presentation has this id.
  case notOpen
  case refused(Problem, retryAfter: Duration?)

  package init(_ error: RouterError) { self = .refused(error.problem(title: ""), retryAfter: error.retryAfter) }
}

extension SharedInput {
  /// Returns a copy with all processes on `host`, which the database has authenticated.
  package func stamped(host: String) -> SharedInput {
    switch self {
    case .input(let input): .input(input.stamped(host: host))
    case .record(let event): .record(event.stamped(host: host))
    case .restarted: self
    case .presenters(let presenters):
      .presenters(
        Dictionary(presenters.map { ($0.stamped(host: host), $1.stamped(host: host)) }) { _, last in last })
    }
  }
}

extension Event {
  /// Returns a copy in which a report comes from `host`.
  package func stamped(host: String) -> Event {
    guard case .ran(var ran) = detail else { return self }
    ran.by = ran.by.stamped(host: host)
    return Event(at: at, presentation: presentation, .ran(ran))
  }
}

extension PresentationInput {
  package func stamped(host: String) -> PresentationInput {
    switch self {
    case .request(var ask):
      ask.requester.process.host = host
      return .request(ask)
    case .change(var change):
      change.by = change.by?.stamped(host: host)
      return .change(change)
    case .endPause(let id, let by): return .endPause(id, by: by.stamped(host: host))
    case .revoke(let id, let by, let reason, let isAdmin):
      return .revoke(id, by: by?.stamped(host: host), because: reason, isAdmin: isAdmin)
    case .presenterAttached(let id, let identity, let surface):
      return .presenterAttached(id.stamped(host: host), identity.stamped(host: host), surface: surface)
    case .presenterDetached(let id, let surface): return .presenterDetached(id.stamped(host: host), surface: surface)
    case .loadRules, .turn: return self
    }
  }
}

extension Presentation.Responder {
  package func stamped(host: String) -> Presentation.Responder {
    var copy = self
    copy.process.host = host
    return copy
  }
}

extension PresenterID {
  package func stamped(host: String) -> PresenterID {
    var copy = self
    copy.host = host
    return copy
  }
}

extension PresenterIdentity {
  package func stamped(host: String) -> PresenterIdentity {
    var copy = self
    copy.process.host = host
    return copy
  }
}
