/// Decides the inputs of a coordinator, and has the resulting events recorded: by the rules, or by the host that leads a shared surface.
///
/// A state machine without log, clock or tasks, and without calls into the coordinator. Each call returns what the coordinator is to do,
/// in order.
protocol PresentationDecider: AnyObject {
  var status: DeciderStatus { get }
  /// The error for new inputs; `nil` if they are accepted.
  var unavailable: RouterError? { get }
  /// The error for new presenters; `nil` if they are accepted.
  var unavailableToPresenters: RouterError? { get }
  /// Whether the database of a shared surface cannot be reached, so that no prompts may be on screens.
  var isAway: Bool { get }
  /// Presentations whose requesters are gone, which cannot be recorded yet.
  var gone: Set<PresentationID> { get }
  /// The settings that decisions depend on.
  var policy: PresentationSurfaces.Policy { get set }

  /// Returns the presentation to show on a surface. Decisions may be ahead of the record.
  func top(on surface: String, _ record: PresentationFold) -> Presentation?
  /// Cancels the attachment of a presenter that waits until the log is writable. Returns whether one did.
  func cancelAttachment(of presenter: PresenterID) -> Bool

  /// - Parameters:
  ///   - reply: Whom an effect replies to; `nil` if nobody waits.
  ///   - record: What is on record, copied only where it is needed.
  func handle(_ input: DeciderInput, reply: ReplyID?, at now: Moment, _ record: () -> Recorded) -> [Effect]
  /// Handles the result of ``Effect/append(_:step:)``.
  func appended(_ step: Int, _ result: AuditLog.AppendResult, at now: Moment, _ record: () -> Recorded) -> [Effect]
  /// Called at ``DeciderStatus/nextTime``.
  func tick(at now: Moment) -> [Effect]
  /// Ends what does not survive the coordinator.
  func shutDown(at now: Moment, _ record: () -> Recorded) -> [Effect]
}

/// Identifies who waits for a decision, or for its record.
typealias ReplyID = Int

enum DeciderInput {
  case ask(PresentationAsk)
  /// An input that can be refused.
  case change(PresentationInput)
  /// This host's rules, to be in force if it decides.
  case load(Event.RulesLoaded)
  /// An input that cannot be refused, as of a time.
  case fact(PresentationInput, Moment)
  /// An event that does not affect the rules. One that is not kept may be dropped, because clients can cause any number of them.
  case record(Event, isKept: Bool)
  /// A report, which is checked against the record.
  case report(Event)
  /// Replies once all decisions so far are recorded or have failed.
  case flush
  /// The recorded end of a presentation.
  case ended(Presentation, secret: PresentationAnswer?)
  case shared(SharedDeciderInput)
}

/// What else happens on a shared surface.
enum SharedDeciderInput {
  /// Whether the database can be reached, and all recorded events have been followed.
  case connected(Bool)
  /// The leader's reply to an input.
  case replied(Int, SharedReply)
  /// There is a new leader, which does not know this host's presenters.
  case announcePresenters
  /// This host leads, and has followed all recorded events. Nothing is shown until the other hosts have reported their presenters, or
  /// until ``showWithoutAwaited``.
  case takeOver(awaiting: Set<String>)
  case showWithoutAwaited
  /// Checks by a commit that this host still leads.
  case checkLeadership
  /// A row of another host; `nil` if it cannot be read.
  case row(SharedInput?, from: String, Int64)
  case hostGone(String)
  /// The ended presentation of a key, or `nil` if the key is free.
  case lookedUp(KeyLookUp, Result<PresentationID?, RouterError>)
}

/// A request whose key an ended presentation may have used.
struct KeyLookUp {
  enum Source {
    case own(ReplyID?)
    case row(Int64, host: String)
  }

  let ask: PresentationAsk
  let source: Source
  /// The lead during which it was asked.
  let term: Int
}

/// What a decider needs to know of its coordinator.
struct Recorded {
  /// The state on record.
  let state: PresentationFold
  /// The number of the last event on record.
  let followed: Int64
  let screens: Screens
  let isShuttingDown: Bool
}

struct DeciderStatus {
  /// Whether it decides the inputs of other hosts, too.
  var isLeading = false
  /// Whether the log was writable at the last attempt.
  var isWritable = true
  /// Whether everything decided is recorded.
  var isIdle: Bool
  /// When to call ``PresentationDecider/tick(at:)`` next.
  var nextTime: Duration?
}

/// The decision on an input.
enum Decision {
  /// It is done, or a new presentation, which may already have ended. Only a request is told so before that is recorded.
  case accepted
  /// The request's key belongs to an open presentation, which it joins.
  case joined(PresentationID)
  /// The request's key belongs to a presentation that has just ended.
  case ended(PresentationID)
}

/// What a decider has its coordinator do.
indirect enum Effect {
  /// Has events recorded, in a step with a number.
  case append(AuditLog.Append, step: Int)
  /// Events were decided, which may change what is shown before they are recorded.
  case decided([Event])
  /// Acts on events that are recorded.
  case follow([Event], through: Int64, at: Duration, fact: PresentationInput?)
  /// Forgets events that were decided and cannot be recorded.
  case lost([Event], RouterError)
  case reply(ReplyID?, Result<Decision, RouterError>)
  /// A fact was refused.
  case refuse(PresentationInput, RouterError)
  /// Returns presenters to what is recorded.
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
