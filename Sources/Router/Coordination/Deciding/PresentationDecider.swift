/// Decides the inputs of a coordinator, and records the resulting events: by the rules, or by the host that leads a shared surface.
///
/// The coordinator acts on recorded events only. All calls are on its executor.
protocol PresentationDecider: AnyObject {
  typealias Coordinator = PresentationCoordinator
  /// Called with the decision on a request. Its events may not be recorded yet.
  typealias AskReply = @Sendable (isolated Coordinator, RequestDecision) -> Void
  /// Called once the events of an input are recorded, or with the reason why there are none.
  typealias Reply = @Sendable (isolated Coordinator, Result<Void, InputRefusal>) -> Void

  /// The error for new inputs; `nil` if they are accepted.
  var unavailable: RouterError? { get }
  /// The error for new presenters; `nil` if they are accepted.
  var unavailableToPresenters: RouterError? { get }
  /// Whether the log was writable at the last attempt.
  var isWritable: Bool { get }
  /// Whether prompts may be on screens.
  var mayShow: Bool { get }
  /// Whether everything decided is recorded.
  var isIdle: Bool { get }
  /// When to call ``tick(_:)`` next.
  var nextTime: Duration? { get }
  /// Presentations whose requesters are gone, which cannot be recorded yet.
  var gone: Set<PresentationID> { get }
  /// The settings that decisions depend on.
  var policy: PresentationSurfaces.Policy { get set }

  /// Returns the presentation to show on a surface. Decisions may be ahead of the record.
  func top(on surface: String, _ coordinator: isolated Coordinator) -> Presentation?

  func ask(_ ask: PresentationAsk, _ coordinator: isolated Coordinator, then reply: @escaping AskReply)
  /// Decides an input that can be refused.
  func change(_ input: PresentationInput, _ coordinator: isolated Coordinator, then reply: @escaping Reply)
  /// Puts this host's rules in force, if it decides.
  func load(_ rules: Event.RulesLoaded, _ coordinator: isolated Coordinator, then reply: @escaping Reply)
  /// Decides an input that cannot be refused, as of a time.
  func accept(_ fact: PresentationInput, at moment: Moment, _ coordinator: isolated Coordinator)
  /// Records an event that does not affect the rules. An event that is not `isKept` may be dropped, because clients can cause any
  /// number of them.
  func record(_ event: Event, isKept: Bool, _ coordinator: isolated Coordinator)
  /// Records a report, once it is checked against the record.
  func report(_ event: Event, _ coordinator: isolated Coordinator, then reply: @escaping Reply)
  /// Calls `reply` once all decisions so far are recorded or have failed.
  func afterRecord(_ coordinator: isolated Coordinator, _ reply: @escaping Reply)
  /// Cancels the attachment of a presenter that is held until the log is writable. Returns whether one was held.
  func cancelAttachment(of presenter: PresenterID) -> Bool
  func tick(_ coordinator: isolated Coordinator)

  /// Handles the result of an append.
  func committed(_ number: Int, _ result: AuditLog.AppendResult, _ coordinator: isolated Coordinator)
  /// Handles the recorded end of a presentation.
  func ended(_ presentation: Presentation, secret: PresentationAnswer?, _ coordinator: isolated Coordinator)
  /// Sends the progress of a sheet to other hosts; `nil` when it has ended.
  func report(_ progress: PresentationProgress?, of id: PresentationID)
  /// Ends what does not survive this coordinator.
  func shutDown(_ coordinator: isolated Coordinator)
}

/// The decision on a request.
enum RequestDecision: Sendable {
  /// It is a new presentation, which may already have ended.
  case accepted
  /// Its key belongs to an open presentation, which it joins.
  case joined(PresentationID)
  /// Its key belongs to a presentation that has just ended.
  case ended(PresentationID)
  case refused(RouterError)
}

/// Why an input was refused.
enum InputRefusal: Error, Sendable {
  case rejected(PresentationRejection)
  case failed(RouterError)
}
