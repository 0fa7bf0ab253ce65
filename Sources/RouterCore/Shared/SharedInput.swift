/// A host's input to the leader of a shared surface: one row of the inbox.
package enum SharedInput: Sendable, Hashable {
  case input(PresentationInput)
  /// An event that only the host knows, such as the delivery of an outcome.
  case record(Event)
  /// The host's daemon has started or stopped. Its attached requests end, and it has no presenters.
  case restarted
  /// All presenters of the host, for a new leader.
  case presenters([PresenterID: PresenterIdentity])
}

extension SharedInput {
  /// Checks the texts that a daemon checks before it sends an input. Those of requests and answers are part of the rules.
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
    case .answer(_, _, _, _, let by), .dismiss(_, _, _, let by), .snooze(_, _, _, let by), .revoke(_, let by, _):
      try by?.check()
    case .fail(_, _, let detail, let by):
      try by?.check()
      try TextRule.value.check(detail, at: "/detail")
    case .cancel(_, let by, _), .finish(_, let by, _), .wake(_, let by), .raise(_, let by),
      .pauseSession(_, _, let by), .endPause(_, let by):
      try by.check()
    case .presenterAttached(_, let identity, _): try identity.check()
    case .presenterDetached, .detach, .requesterGone, .claim, .loadRules: break
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
  /// More than the paths of a process and its ancestors have, by far.
  private static let maximumBytes = 64 << 10

  /// Checks the size: the leader keeps it for each presenter and request, and records it with each act.
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
  /// No open presentation has that id.
  case notOpen
  case refused(Problem, retryAfter: Duration?)

  package init(_ error: RouterError) { self = .refused(error.problem(title: ""), retryAfter: error.retryAfter) }
}

extension SharedInput {
  /// A copy with all processes on `host`, which the database has checked.
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
  /// A copy whose report, if it is one, comes from `host`.
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
    case .answer(let id, let generation, let answer, let extra, let by):
      return .answer(id, generation: generation, answer, extra, by: by?.stamped(host: host))
    case .dismiss(let id, let generation, let extra, let by):
      return .dismiss(id, generation: generation, extra, by: by?.stamped(host: host))
    case .snooze(let id, let generation, let duration, let by):
      return .snooze(id, generation: generation, for: duration, by: by?.stamped(host: host))
    case .wake(let id, let by): return .wake(id, by: by.stamped(host: host))
    case .raise(let id, let by): return .raise(id, by: by.stamped(host: host))
    case .pauseSession(let id, let duration, let by): return .pauseSession(id, for: duration, by: by.stamped(host: host))
    case .endPause(let id, let by): return .endPause(id, by: by.stamped(host: host))
    case .fail(let id, let generation, let detail, let by):
      return .fail(id, generation: generation, detail: detail, by: by?.stamped(host: host))
    case .revoke(let id, let by, let isAdmin): return .revoke(id, by: by?.stamped(host: host), isAdmin: isAdmin)
    case .cancel(let id, let by, let isAdmin): return .cancel(id, by: by.stamped(host: host), isAdmin: isAdmin)
    case .finish(let id, let by, let isAdmin): return .finish(id, by: by.stamped(host: host), isAdmin: isAdmin)
    case .presenterAttached(let id, let identity, let surface):
      return .presenterAttached(id.stamped(host: host), identity.stamped(host: host), surface: surface)
    case .presenterDetached(let id, let surface): return .presenterDetached(id.stamped(host: host), surface: surface)
    case .detach, .requesterGone, .claim, .loadRules: return self
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
