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
    case .requested(let asked): asked.addMembers(to: &writer)
    case .presented(let shown): shown.addMembers(to: &writer)
    case .withdrawn(let withdrawn): withdrawn.addMembers(to: &writer)
    case .deferred(let deferred): deferred.addMembers(to: &writer)
    case .woken(let woken): woken.addMembers(to: &writer)
    case .answered(let answered): answered.addMembers(to: &writer)
    case .resolved(let end): end.addMembers(to: &writer)
    case .detached, .delivered: break
    case .ran(let ran): ran.addMembers(to: &writer)
    case .callbackDelivered(let delivery): delivery.addMembers(to: &writer)
    case .callbackFailed(let failure): failure.addMembers(to: &writer)
    case .presenterFailed(let failure): failure.addMembers(to: &writer)
    case .presenterAttached(let attached): attached.addMembers(to: &writer)
    case .presenterDetached(let detached): detached.addMembers(to: &writer)
    case .daemonStarted(let daemon), .daemonStopped(let daemon): daemon.addMembers(to: &writer)
    case .throttled(let throttled): throttled.addMembers(to: &writer)
    case .accessDenied(let denied): denied.addMembers(to: &writer)
    case .pageLinkIssued(let link): link.addMembers(to: &writer)
    case .granted(let grant): grant.addMembers(to: &writer)
    case .revoked(let revoked): revoked.addMembers(to: &writer)
    case .paused(let pause): pause.addMembers(to: &writer)
    case .resumed(let resumed): resumed.addMembers(to: &writer)
    case .rulesLoaded(let loaded): loaded.addMembers(to: &writer)
    case .switched(let change): change.addMembers(to: &writer)
    case .pruned(let pruned): pruned.addMembers(to: &writer)
    }
  }

  package init(kind: AuditEvent.Kind, at: Timestamp, json: JSONValue) throws(JSONError) {
    switch kind {
    case .requested: self = .requested(try Event.Requested(at: at, json))
    case .presented: self = .presented(try Event.Presented(exactly: json))
    case .withdrawn: self = .withdrawn(try Event.Withdrawn(exactly: json))
    case .deferred: self = .deferred(try Event.Deferred(exactly: json))
    case .woken: self = .woken(try Event.Woken(exactly: json))
    case .answered where json["stays"]?.bool == true: self = .answered(try Event.Answered(exactly: json))
    case .answered, .dismissed, .cancelled, .expired, .failed:
      let end = try Event.Resolved(exactly: json)
      guard end.outcome.name.rawValue == kind.rawValue else {
        throw JSONError("does not fit the event's type", at: "/outcome")
      }
      self = .resolved(end)
    case .detached:
      _ = try NoMembers(exactly: json)
      self = .detached
    case .delivered:
      _ = try NoMembers(exactly: json)
      self = .delivered
    case .ran: self = .ran(try Presentation.Ran(exactly: json))
    case .callbackDelivered: self = .callbackDelivered(try Event.CallbackDelivered(exactly: json))
    case .callbackFailed: self = .callbackFailed(try Event.CallbackFailed(exactly: json))
    case .presenterFailed: self = .presenterFailed(try Event.PresenterFailed(exactly: json))
    case .presenterAttached: self = .presenterAttached(try Event.PresenterAttached(exactly: json))
    case .presenterDetached: self = .presenterDetached(try Event.PresenterDetached(exactly: json))
    case .daemonStarted: self = .daemonStarted(try Event.Daemon(exactly: json))
    case .daemonStopped: self = .daemonStopped(try Event.Daemon(exactly: json))
    case .throttled: self = .throttled(try Event.Throttled(exactly: json))
    case .accessDenied: self = .accessDenied(try Event.AccessDenied(exactly: json))
    case .pageLinkIssued: self = .pageLinkIssued(try Event.PageLinkIssued(exactly: json))
    case .granted: self = .granted(try Grant(exactly: json))
    case .revoked: self = .revoked(try Event.Revoked(exactly: json))
    case .paused: self = .paused(try SessionPause(exactly: json))
    case .resumed: self = .resumed(try Event.Resumed(exactly: json))
    case .switched: self = .switched(try Switch(exactly: json))
    case .rulesLoaded: self = .rulesLoaded(try Event.RulesLoaded(exactly: json))
    case .pruned: self = .pruned(try Event.Pruned(exactly: json))
    }
  }

  private struct NoMembers: Record {
    init(_ f: inout Fields<Self>) {}
  }
}
