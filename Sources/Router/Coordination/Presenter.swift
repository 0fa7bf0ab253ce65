/// The side that shows: a terminal, a page, an adapter, a test.
///
/// The task of ``present(_:waiting:)`` is canceled when the presentation is withdrawn (answered elsewhere, expired, covered,
/// canceled); it then takes down what it shows, and its result is ignored.
public protocol Presenter: Sendable {
  /// What the record calls it.
  var name: String { get }

  /// Shows one presentation until the person has decided.
  ///
  /// - Parameters:
  ///   - presentation: What to show, and who asks.
  ///   - waiting: How many wait behind it.
  /// - Throws: What kept it from showing; the presentation ends as failed with the error's description.
  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse

  /// What is shown is not wanted any more, and why. Its task is cancelled when this returns; it may have ended by itself,
  /// as it has when the presenter's own answer is the reason: then that is on record, or ``answerRefused(_:for:)`` was called.
  func willWithdraw(_ presentation: Presentation, because reason: PresenterEvent.Withdrawal) async

  /// How many wait has changed.
  func waitingCountChanged(to waiting: Int) async

  /// An answer was refused, such as one that somebody else gave first or one that does not fit. A presentation that is
  /// still shown is given to ``present(_:waiting:)`` again.
  func answerRefused(_ error: RouterError, for presentation: Presentation) async
}

extension Presenter {
  public func willWithdraw(_ presentation: Presentation, because reason: PresenterEvent.Withdrawal) async {}
  public func waitingCountChanged(to waiting: Int) async {}
  public func answerRefused(_ error: RouterError, for presentation: Presentation) async {}
}

/// What a person did with what was shown.
public enum PresenterResponse: Sendable, Hashable {
  case answer(PresentationAnswer)
  case dismiss
}

/// What a presenter is told.
public enum PresenterEvent: Sendable, Hashable {
  /// Show this. It replaces what was shown before.
  case present(Presentation, waiting: Int)
  /// Take this down.
  case withdraw(PresentationID, generation: Int, reason: Withdrawal)
  /// How many wait has changed.
  case queue(waiting: Int)

  /// Why something is taken down.
  public enum Withdrawal: String, Sendable, Hashable, CaseIterable {
    case answered, dismissed, cancelled, expired, failed, covered
    /// The broker was lost, and nobody can be told what the person does. It is no reason of the wire's: a client of the
    /// daemon says it itself. What is still open is shown again when the broker is back.
    case disconnected

    /// Those that a daemon gives.
    public static var allCases: [Withdrawal] { [.answered, .dismissed, .cancelled, .expired, .failed, .covered] }
  }
}

/// A presenter's place at a surface.
public struct PresenterAttachment: Sendable {
  /// What to show. The presenter is attached while these are read: when the reading task is cancelled or lets go of them, it is detached.
  public var events: AsyncThrowingStream<PresenterEvent, any Error>
  /// Brings what the person did on one showing; throws a ``RouterError`` if it does not count.
  public var respond: @Sendable (PresentationID, _ generation: Int, PresenterResponse) async throws -> Presentation
  /// Says that it cannot be shown, and why.
  public var fail: @Sendable (PresentationID, _ generation: Int, _ detail: String) async throws -> Presentation

  public init(
    events: AsyncThrowingStream<PresenterEvent, any Error>,
    respond: @escaping @Sendable (PresentationID, Int, PresenterResponse) async throws -> Presentation,
    fail: @escaping @Sendable (PresentationID, Int, String) async throws -> Presentation
  ) {
    self.events = events
    self.respond = respond
    self.fail = fail
  }
}
