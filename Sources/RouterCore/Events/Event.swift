/// A recorded event. Everything else is derived from events by ``Presentation/apply(_:)``. `events.detail` stores its
/// JSON.
package struct Event: Sendable, Hashable {
  package var at: Timestamp
  package var presentation: PresentationID?
  package var detail: Detail

  package init(at: Timestamp, presentation: PresentationID? = nil, _ detail: Detail) {
    self.at = at
    self.presentation = presentation
    self.detail = detail
  }

  /// Indirect, because an event is copied often.
  package indirect enum Detail: Sendable, Hashable {
    case requested(Requested)
    case presented(Presented)
    case withdrawn(Withdrawn)
    /// A queued presentation was deferred until a time.
    case deferred(Deferred)
    /// A snooze ended.
    case woken(Woken)
    /// A presentation of a flow, or one with several approvers, was answered and stays open.
    case answered(Answered)
    case resolved(Resolved)
    /// A presenter failed to show the presentation; other presenters may still show it.
    case presenterFailed(PresenterFailed)
    /// An attached request was detached from its connection.
    case detached
    case delivered
    /// The requester reports the result of the approved act.
    case ran(Presentation.Ran)
    case callbackDelivered(CallbackDelivered)
    case callbackFailed(CallbackFailed)
    case presenterAttached(PresenterAttached)
    case presenterDetached(PresenterDetached)
    case daemonStarted(Daemon)
    case daemonStopped(Daemon)
    case throttled(Throttled)
    case accessDenied(AccessDenied)
    case pageLinkIssued(PageLinkIssued)
    /// An answer is remembered; precedes the end of the answered presentation.
    case granted(Grant)
    case revoked(Revoked)
    /// The prompts of a session are paused until a time.
    case paused(SessionPause)
    case resumed(Resumed)
    /// Rules took effect.
    case rulesLoaded(RulesLoaded)
    case switched(Switch)
    case pruned(Pruned)
  }

  package var kind: AuditEvent.Kind {
    switch detail {
    case .requested: .requested
    case .presented: .presented
    case .withdrawn: .withdrawn
    case .deferred: .deferred
    case .woken: .woken
    case .answered: .answered
    // Each outcome has an event of the same name.
    case .resolved(let end): AuditEvent.Kind(rawValue: end.outcome.name.rawValue) ?? .failed
    case .detached: .detached
    case .delivered: .delivered
    case .ran: .ran
    case .callbackDelivered: .callbackDelivered
    case .callbackFailed: .callbackFailed
    case .presenterFailed: .presenterFailed
    case .presenterAttached: .presenterAttached
    case .presenterDetached: .presenterDetached
    case .daemonStarted: .daemonStarted
    case .daemonStopped: .daemonStopped
    case .throttled: .throttled
    case .accessDenied: .accessDenied
    case .pageLinkIssued: .pageLinkIssued
    case .granted: .granted
    case .revoked: .revoked
    case .paused: .paused
    case .resumed: .resumed
    case .rulesLoaded: .rulesLoaded
    case .switched: .switched
    case .pruned: .pruned
    }
  }
}

extension Event {
  /// Whether the event reports an attempt to call back.
  package var isOfCallback: Bool {
    if case .callbackDelivered = detail { return true }
    if case .callbackFailed = detail { return true }
    return false
  }

  /// Whether the event reports the last attempt to call back.
  package var isLastOfCallback: Bool {
    if case .callbackFailed(let failure) = detail { return failure.nextIn == nil }
    return isOfCallback
  }

  /// Whether the event contains a sensitive answer, which is never written.
  package var hasSecret: Bool {
    if case .answered(let answered) = detail { return answered.secret != nil }
    if case .resolved(let end) = detail { return end.secret != nil }
    return false
  }

  package var withoutSecret: Event {
    var copy = self
    if case .answered(var answered) = detail {
      answered.secret = nil
      copy.detail = .answered(answered)
    } else if case .resolved(var end) = detail {
      end.secret = nil
      copy.detail = .resolved(end)
    }
    return copy
  }
}

extension Event {
  package struct Requested: Sendable, Hashable {
    let asked: Asked
    package var attached: Bool
    package var place: PresentationPlace
    package var level: Int
    /// Whether the requester has a callback in this process.
    package var hasCallback: Bool
    /// The grants that a person may give with the answer.
    package var offer: GrantOffer?

    package var requester: Presentation.Requester { asked.requester }
    package var request: PresentationRequest { asked.request }
    /// The request number, counted from 1 in each log and never reused.
    package var number: Int { asked.number }
    package var key: IdempotencyKey? { asked.key }
    /// The rule that sent the request to a person; ``request`` includes its changes.
    package var ruling: Ruling? { asked.ruling }
  }

  package struct Presented: Sendable, Hashable {
    package var surface: String
    package var generation: Int
    package var level: Int
    package var presenters: [AttachedPresenter]
  }

  package struct Withdrawn: Sendable, Hashable {
    package var reason: WithdrawalReason
    package var generation: Int
    /// The new queue position; `nil` if the presentation stays on the stack, covered.
    package var place: PresentationPlace?
    package var shownFor: Duration?
    /// The end of its snooze.
    package var until: Timestamp?
    /// The party that snoozed it, or raised another presentation.
    package var by: Presentation.Responder?
  }

  package struct Deferred: Sendable, Hashable {
    package var until: Timestamp
    /// The party that snoozed it.
    package var by: Presentation.Responder?

    package init(until: Timestamp, by: Presentation.Responder?) { (self.until, self.by) = (until, by) }
  }

  package struct Woken: Sendable, Hashable {
    /// The party that ended the snooze early.
    package var by: Presentation.Responder?

    package init(by: Presentation.Responder?) { self.by = by }
  }

  package struct Answered: Sendable, Hashable {
    /// The answer; redacted if the request is sensitive.
    package var answer: PresentationAnswer
    package var extra = AnswerExtra()
    package var by: Presentation.Responder?
    package var generation: Int
    package var shownFor: Duration?
    /// The content of a redacted answer, for the requester only. Never written.
    package var secret: PresentationAnswer?
  }

  package struct Resolved: Sendable, Hashable {
    package var outcome: PresentationOutcome
    package var extra = AnswerExtra()
    package var by: Presentation.Responder?
    /// The authority that decided it without a direct answer; ``by`` is then the person who gave the earlier or common answer,
    /// if any.
    package var because: Presentation.Authority?
    /// The party that finished a flow; ``by`` is the party that answered it last.
    package var finishedBy: Presentation.Responder?
    /// The generation that was shown when it ended; `nil` if it was not on top.
    package var generation: Int?
    package var shownFor: Duration?
    package var secret: PresentationAnswer?
  }

  package struct PresenterFailed: Sendable, Hashable {
    package var by: Presentation.Responder
    package var generation: Int
    package var detail: String

    package init(by: Presentation.Responder, generation: Int, detail: String) {
      (self.by, self.generation, self.detail) = (by, generation, detail)
    }
  }

  package struct CallbackDelivered: Sendable, Hashable {
    package var attempts: Int

    package init(attempts: Int) { self.attempts = attempts }
  }

  package struct CallbackFailed: Sendable, Hashable {
    package var error: String
    package var attempts: Int
    /// The delay before the next attempt; `nil` after the last one.
    package var nextIn: Duration?

    package init(error: String, attempts: Int, nextIn: Duration? = nil) {
      (self.error, self.attempts, self.nextIn) = (error, attempts, nextIn)
    }
  }

  package struct PresenterAttached: Sendable, Hashable {
    package var surface: String
    package var by: Presentation.Responder
    package var scope: PresenterScope

    package init(surface: String, by: Presentation.Responder, _ scope: PresenterScope = PresenterScope()) {
      (self.surface, self.by, self.scope) = (surface, by, scope)
    }
  }

  package struct PresenterDetached: Sendable, Hashable {
    package var surface: String
    package var by: Presentation.Responder

    package init(surface: String, by: Presentation.Responder) { (self.surface, self.by) = (surface, by) }
  }

  /// The daemon that started or stopped.
  package struct Daemon: Sendable, Hashable {
    package var process: Presentation.Responder

    package init(_ process: Presentation.Responder) { self.process = process }
  }

  package struct Throttled: Sendable, Hashable {
    package var uid: UInt32
    package var app: String
    package var duration: Duration

    package init(uid: UInt32, app: String, duration: Duration) {
      (self.uid, self.app, self.duration) = (uid, app, duration)
    }
  }

  package struct AccessDenied: Sendable, Hashable {
    package var by: Presentation.Responder
    package var what: String
    package var reason: String
    /// The number of similar denials omitted before this one.
    package var unrecorded: Int

    package init(by: Presentation.Responder, what: String, reason: String, unrecorded: Int) {
      (self.by, self.what, self.reason, self.unrecorded) = (by, what, reason, unrecorded)
    }
  }

  /// An administrator created a link to the page for another user's browser.
  package struct PageLinkIssued: Sendable, Hashable {
    package var by: Presentation.Responder
    /// The user whose browser may open the link.
    package var uid: UInt32

    package init(by: Presentation.Responder, uid: UInt32) {
      (self.by, self.uid) = (by, uid)
    }
  }

  /// A grant was revoked.
  package struct Revoked: Sendable, Hashable {
    package var grant: GrantID
    /// The party that revoked it; `nil` if it ended by itself.
    package var by: Presentation.Responder?
    /// Why it ended by itself; `nil` if somebody revoked it. Earlier versions did not record ``Reason/processGone``.
    package var reason: Reason?

    package enum Reason: String, Sendable, Hashable, CaseIterable, JSONName {
      /// The process of its session has ended.
      case processGone
      /// A grant without an end was not used for the time of the setting `grants.unusedDays`.
      case unused
      /// Its giver lost the role grant.
      case roleLost
    }

    package init(grant: GrantID, by: Presentation.Responder?, because reason: Reason? = nil) {
      (self.grant, self.by, self.reason) = (grant, by, reason)
    }
  }

  /// A person ended a pause early.
  package struct Resumed: Sendable, Hashable {
    /// The prompt at which the session was paused.
    package var pause: PresentationID
    package var by: Presentation.Responder

    package init(pause: PresentationID, by: Presentation.Responder) { (self.pause, self.by) = (pause, by) }
  }

  /// Rules replaced the previous ones. An empty text removes all rules.
  package struct RulesLoaded: Sendable, Hashable {
    package var rules: RuleSet
    /// The party that confirmed the rules; `nil` if the file's owner is trusted to change them.
    package var by: Presentation.Responder?

    package init(_ rules: RuleSet, by: Presentation.Responder? = nil) { (self.rules, self.by) = (rules, by) }
  }

  /// The oldest events were pruned.
  package struct Pruned: Sendable, Hashable {
    /// The last pruned event, and its hash.
    package var anchor: AuditHead
    /// The cutoff time of the pruning.
    package var before: Timestamp
    package var events: Int
    /// The highest request number so far.
    package var lastNumber: Int
    /// Presentations with events on both sides of the cut, now or possibly later, in their state at the cut.
    package var carried: [Presentation]
    /// The grants and rules in force at the cut.
    package var grants: [Grant]
    package var rules: RuleSet?
    /// The paused sessions.
    package var pauses: [SessionPause]
    package var by: Presentation.Responder?

    package init(
      anchor: AuditHead, before: Timestamp, events: Int, lastNumber: Int, carried: [Presentation],
      grants: [Grant] = [], rules: RuleSet? = nil, pauses: [SessionPause] = [], by: Presentation.Responder?
    ) {
      (self.anchor, self.before, self.events) = (anchor, before, events)
      (self.lastNumber, self.carried, self.by) = (lastNumber, carried, by)
      (self.grants, self.rules, self.pauses) = (grants, rules, pauses)
    }
  }
}

package struct AttachedPresenter: Sendable, Hashable {
  package var name: String
  package var uid: UInt32
  package var since: Timestamp
  package var scope: PresenterScope

  package init(name: String, uid: UInt32, since: Timestamp, scope: PresenterScope = PresenterScope()) {
    (self.name, self.uid, self.since, self.scope) = (name, uid, since, scope)
  }
}
