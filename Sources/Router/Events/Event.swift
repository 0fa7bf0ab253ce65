/// One thing that happened. ``Presentation/apply(_:)`` derives all else from events. `events.detail` holds an event's JSON.
public struct Event: Sendable, Hashable {
  /// The wall clock's time when it was decided.
  public var at: Timestamp
  /// The presentation it is about, if any.
  public var presentation: PresentationID?
  public var detail: Detail

  public init(at: Timestamp, presentation: PresentationID? = nil, _ detail: Detail) {
    self.at = at
    self.presentation = presentation
    self.detail = detail
  }

  public enum Detail: Sendable, Hashable {
    case requested(Requested)
    case presented(Presented)
    case withdrawn(Withdrawn)
    /// A flow's prompt was answered and stays open.
    case answered(Answered)
    case resolved(Resolved)
    /// An attached request goes on without its connection.
    case detached
    /// The outcome reached its requester.
    case delivered
    case callbackDelivered(attempts: Int)
    case callbackFailed(CallbackFailed)
    case presenterAttached(surface: String, by: Resolver)
    case presenterDetached(surface: String, by: Resolver)
    case daemonStarted(Resolver)
    case daemonStopped(Resolver)
    case throttled(Throttled)
    case accessDenied(AccessDenied)
    case pruned(Pruned)
  }

  /// The names of events on the wire and in the log.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case requested, presented, withdrawn, answered, dismissed, cancelled, expired, failed
    case detached, delivered, callbackDelivered, callbackFailed
    case presenterAttached, presenterDetached, daemonStarted, daemonStopped
    case throttled, accessDenied, pruned
  }

  public var kind: Kind {
    switch detail {
    case .requested: .requested
    case .presented: .presented
    case .withdrawn: .withdrawn
    case .answered: .answered
    // Each outcome's name is the name of an event.
    case .resolved(let end): Kind(rawValue: end.outcome.name.rawValue) ?? .failed
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
    case .pruned: .pruned
    }
  }
}

extension Event {
  /// A request was accepted and queued.
  public struct Requested: Sendable, Hashable {
    let asked: Asked
    public var attached: Bool
    public var place: PresentationPlace
    /// How many presentations it is stacked on.
    public var level: Int
    /// Whether its requester waits in this process to be called when it ends.
    public var hasCallback: Bool

    public var requester: Requester { asked.requester }
    public var request: PresentationRequest { asked.request }
    /// Counts the accepted requests of a log from 1; never reused.
    public var number: Int { asked.number }
    public var key: IdempotencyKey? { asked.key }
  }

  /// It was put before the person.
  public struct Presented: Sendable, Hashable {
    public var surface: String
    public var generation: Int
    public var level: Int
    public var presenters: [AttachedPresenter]
  }

  /// It was taken down without having ended.
  public struct Withdrawn: Sendable, Hashable {
    public var reason: WithdrawalReason
    public var generation: Int
    /// Its new place in line; `nil` if it stays on the stack, covered.
    public var place: PresentationPlace?
    public var shownFor: Duration?
  }

  /// A flow's prompt was answered on one showing.
  public struct Answered: Sendable, Hashable {
    /// The answer; redacted where the request is sensitive.
    public var answer: PresentationAnswer
    public var by: Resolver?
    public var generation: Int
    public var shownFor: Duration?
    /// What a redacted answer said, for its requester alone. Never written.
    var secret: PresentationAnswer?
  }

  /// It ended.
  public struct Resolved: Sendable, Hashable {
    public var outcome: PresentationOutcome
    public var by: Resolver?
    /// Who finished a flow; ``by`` is who answered it last.
    public var finishedBy: Resolver?
    /// The showing that ended with it; `nil` if it was not before the person.
    public var generation: Int?
    public var shownFor: Duration?
    var secret: PresentationAnswer?
  }

  /// A dismiss callback was not accepted.
  public struct CallbackFailed: Sendable, Hashable {
    public var error: String
    public var attempts: Int
    /// The time until the next try; `nil` after the last one.
    public var nextIn: Duration?
  }

  /// Requests of one user and program are turned away for a while, because people keep refusing them.
  public struct Throttled: Sendable, Hashable {
    public var uid: UInt32
    public var app: String
    public var duration: Duration
  }

  /// Somebody was not allowed to do something.
  public struct AccessDenied: Sendable, Hashable {
    public var by: Resolver
    public var what: String
    public var reason: String
    /// How many denials like this were not recorded before it.
    public var unrecorded: Int
  }

  /// The oldest part of the record was removed.
  public struct Pruned: Sendable, Hashable {
    /// The last event that is gone, and its hash.
    public var anchor: AuditHead
    /// What happened before this time was to go.
    public var before: Timestamp
    public var events: Int
    /// The highest number of any request so far.
    public var lastNumber: Int
    /// Presentations with events on both sides of the cut, as they were at the cut.
    public var carried: [Presentation]
    public var by: Resolver?
  }
}

/// A presenter as the record names it.
public struct AttachedPresenter: Sendable, Hashable {
  public var name: String
  public var uid: UInt32
  public var since: Timestamp

  public init(name: String, uid: UInt32, since: Timestamp) {
    self.name = name
    self.uid = uid
    self.since = since
  }
}
