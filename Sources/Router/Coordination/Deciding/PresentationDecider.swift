/// Decides the inputs of a coordinator, either by the rules or through the leader of a shared surface, and has the resulting
/// events recorded.
///
/// A state machine without log, clock or tasks, and without calls into the coordinator. Each call returns the effects for the
/// coordinator, in order.
protocol PresentationDecider: AnyObject {
  var status: DeciderStatus { get }
  /// The error for new inputs; `nil` while they are accepted.
  var unavailable: RouterError? { get }
  /// The error for new presenters; `nil` while they are accepted.
  var unavailableToPresenters: RouterError? { get }
  /// Whether the database of a shared surface is unreachable, so that no prompts may be shown.
  var isAway: Bool { get }
  /// Presentations with a lost requester, which cannot be recorded yet.
  var gone: Set<PresentationID> { get }
  /// The settings that decisions depend on.
  var policy: PresentationSurfaces.Policy { get set }

  /// Returns the presentation to show on a surface. Decisions may be ahead of the record.
  func top(on surface: String, _ record: PresentationFold) -> Presentation?
  /// Cancels a presenter's attachment that waits for the log. Returns whether there was one.
  func cancelAttachment(of presenter: PresenterID) -> Bool

  /// - Parameters:
  ///   - reply: The id for the reply; `nil` if no caller waits.
  ///   - record: Returns the recorded state, copied only if needed.
  func handle(_ input: DeciderInput, reply: ReplyID?, at now: Moment, _ record: () -> Recorded) -> [Effect]
  /// Handles the result of ``Effect/append(_:step:)``.
  func appended(_ step: Int, _ result: AuditLog.AppendResult, at now: Moment, _ record: () -> Recorded) -> [Effect]
  /// Handles the timer at ``DeciderStatus/nextTime``.
  func tick(at now: Moment) -> [Effect]
  /// Ends the presentations that do not survive the coordinator.
  func shutDown(at now: Moment, _ record: () -> Recorded) -> [Effect]
}

/// Identifies a caller that waits for a decision, or for its record.
typealias ReplyID = Int

enum DeciderInput {
  case ask(PresentationAsk)
  /// An input that can be refused.
  case change(PresentationInput)
  /// This host's rules, put in force if it decides.
  case load(Event.RulesLoaded)
  /// An input that cannot be refused, with its time.
  case fact(PresentationInput, Moment)
  /// An event that does not affect the rules. It may be dropped unless `isKept`, because clients can cause any number of such
  /// events.
  case record(Event, isKept: Bool)
  /// A report, validated against the record.
  case report(Event)
  /// Replies once all decisions so far are recorded or have failed.
  case flush
  /// The recorded end of a presentation.
  case ended(Presentation, secret: PresentationAnswer?)
  case shared(SharedDeciderInput)
}

/// Other inputs on a shared surface.
enum SharedDeciderInput {
  /// Whether the database can be reached, and all recorded events have been followed.
  case connected(Bool)
  /// The leader's reply to an input.
  case replied(Int, SharedReply)
  /// A new leader does not know this host's presenters.
  case announcePresenters
  /// This host leads, and has followed all recorded events. Nothing is shown until the other hosts have reported their presenters, or
  /// until ``showWithoutAwaited``.
  case takeOver(awaiting: Set<String>)
  case showWithoutAwaited
  /// Checks, with a commit, that this host still leads.
  case checkLeadership
  /// A row of another host; `nil` if it cannot be decoded.
  case row(SharedInput?, from: String, Int64)
  case hostGone(String)
  /// The ended presentation of a key, or `nil` if the key is free.
  case lookedUp(KeyLookUp, Result<PresentationID?, RouterError>)
}

/// A request with a key that an ended presentation may have used.
struct KeyLookUp {
  enum Source {
    case own(ReplyID?)
    case row(Int64, host: String)
  }

  let ask: PresentationAsk
  let source: Source
  /// The term of the lead in which the request arrived.
  let term: Int
}

/// The coordinator's recorded state, for the decider.
struct Recorded {
  /// The recorded state.
  let state: PresentationFold
  /// The number of the last event on record.
  let followed: Int64
  let screens: Screens
  let isShuttingDown: Bool
}

struct DeciderStatus {
  /// Whether it also decides the inputs of other hosts.
  var isLeading = false
  /// Whether the log was writable at the last attempt.
  var isWritable = true
  /// Whether all decisions are recorded.
  var isIdle: Bool
  /// The next time to call ``PresentationDecider/tick(at:)``.
  var nextTime: Duration?
}

/// The decision on an input.
enum Decision {
  /// The input was applied; a request has a new presentation, which may already have ended. Only requests receive this before
  /// it is recorded.
  case accepted
  /// The request's key belongs to an open presentation, which it joins.
  case joined(PresentationID)
  /// The request's key belongs to a presentation that has just ended.
  case ended(PresentationID)
}

/// An action that the decider requests from its coordinator.
indirect enum Effect {
  /// Appends events to the log, in a numbered step.
  case append(AuditLog.Append, step: Int)
  /// Reports decided events, which may change the shown prompts before they are recorded.
  case decided([Event])
  /// Acts on recorded events.
  case follow([Event], through: Int64, at: Duration, fact: PresentationInput?)
  /// Drops decided events that cannot be recorded.
  case lost([Event], RouterError)
  case reply(ReplyID?, Result<Decision, RouterError>)
  /// Refuses a fact.
  case refuse(PresentationInput, RouterError)
  /// Returns presenters to the recorded state.
  case showCommitted
  /// Tries to write the log again.
  case retry
  case flush
  case resumed
  case stop
  case lookUp(KeyLookUp)
  case become(any PresentationDecider)
  /// Sends an input to the leader.
  case send(SharedInput, number: Int)
  case replied(InboxReply)
  case steppedDown
}
