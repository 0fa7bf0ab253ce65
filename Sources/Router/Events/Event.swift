/// One thing that happened. ``Presentation/apply(_:)`` derives all else from events. `events.detail` holds an event's JSON.
package struct Event: Sendable, Hashable {
  package var at: Timestamp
  package var presentation: PresentationID?
  package var detail: Detail

  package init(at: Timestamp, presentation: PresentationID? = nil, _ detail: Detail) {
    self.at = at
    self.presentation = presentation
    self.detail = detail
  }

  package enum Detail: Sendable, Hashable {
    case requested(Requested)
    case presented(Presented)
    case withdrawn(Withdrawn)
    /// A flow's prompt was answered and stays open.
    case answered(Answered)
    case resolved(Resolved)
    /// An attached request goes on without its connection.
    case detached
    case delivered
    case callbackDelivered(attempts: Int)
    case callbackFailed(CallbackFailed)
    case presenterAttached(surface: String, by: Resolver)
    case presenterDetached(surface: String, by: Resolver)
    case daemonStarted(Resolver)
    case daemonStopped(Resolver)
    case throttled(Throttled)
    case accessDenied(AccessDenied)
    case pageLinkIssued(PageLinkIssued)
    case pruned(Pruned)
  }

  package var kind: AuditEvent.Kind {
    switch detail {
    case .requested: .requested
    case .presented: .presented
    case .withdrawn: .withdrawn
    case .answered: .answered
    // Each outcome's name is the name of an event.
    case .resolved(let end): AuditEvent.Kind(rawValue: end.outcome.name.rawValue) ?? .failed
    case .detached: .detached
    case .delivered: .delivered
    case .callbackDelivered: .callbackDelivered
    case .callbackFailed: .callbackFailed
    case .presenterAttached: .presenterAttached
    case .presenterDetached: .presenterDetached
    case .daemonStarted: .daemonStarted
    case .daemonStopped: .daemonStopped
    case .throttled: .throttled
    case .accessDenied: .accessDenied
    case .pageLinkIssued: .pageLinkIssued
    case .pruned: .pruned
    }
  }
}

extension Event {
  package struct Requested: Sendable, Hashable {
    let asked: Asked
    package var attached: Bool
    package var place: PresentationPlace
    package var level: Int
    /// Whether its requester waits in this process to be called when it ends.
    package var hasCallback: Bool

    package var requester: Requester { asked.requester }
    package var request: PresentationRequest { asked.request }
    /// Counts the accepted requests of a log from 1; never reused.
    package var number: Int { asked.number }
    package var key: IdempotencyKey? { asked.key }
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
    /// Its new place in line; `nil` if it stays on the stack, covered.
    package var place: PresentationPlace?
    package var shownFor: Duration?
  }

  package struct Answered: Sendable, Hashable {
    /// The answer; redacted where the request is sensitive.
    package var answer: PresentationAnswer
    package var by: Resolver?
    package var generation: Int
    package var shownFor: Duration?
    /// What a redacted answer said, for its requester alone. Never written.
    var secret: PresentationAnswer?
  }

  package struct Resolved: Sendable, Hashable {
    package var outcome: PresentationOutcome
    package var by: Resolver?
    /// Who finished a flow; ``by`` is who answered it last.
    package var finishedBy: Resolver?
    /// The showing that ended with it; `nil` if it was not before the person.
    package var generation: Int?
    package var shownFor: Duration?
    var secret: PresentationAnswer?
  }

  package struct CallbackFailed: Sendable, Hashable {
    package var error: String
    package var attempts: Int
    /// The time until the next try; `nil` after the last one.
    package var nextIn: Duration?
  }

  package struct Throttled: Sendable, Hashable {
    package var uid: UInt32
    package var app: String
    package var duration: Duration
  }

  package struct AccessDenied: Sendable, Hashable {
    package var by: Resolver
    package var what: String
    package var reason: String
    /// How many denials like this were not recorded before it.
    package var unrecorded: Int
  }

  /// An administrator made a link that lets another user's browser into the page.
  package struct PageLinkIssued: Sendable, Hashable {
    package var by: Resolver
    /// The user whose browser may open it.
    package var uid: UInt32
  }

  /// The oldest part of the record was removed.
  package struct Pruned: Sendable, Hashable {
    /// The last event that is gone, and its hash.
    package var anchor: AuditHead
    /// What happened before this time was to go.
    package var before: Timestamp
    package var events: Int
    /// The highest number of any request so far.
    package var lastNumber: Int
    /// Presentations with events on both sides of the cut, as they were at the cut.
    package var carried: [Presentation]
    package var by: Resolver?
  }
}

package struct AttachedPresenter: Sendable, Hashable {
  package var name: String
  package var uid: UInt32
  package var since: Timestamp
}
