/// Shows presentations: a terminal, a page, an adapter or a test.
///
/// When a presentation is withdrawn (answered elsewhere, expired, covered, canceled), the task of ``present(_:waiting:)`` is
/// canceled. It must then remove the prompt; its result is ignored.
public protocol Presenter: Sendable {
  /// The name in the log.
  var name: String { get }

  /// Shows one presentation until the person has decided.
  ///
  /// - Parameters:
  ///   - presentation: The presentation to show, with its requester.
  ///   - waiting: The number of presentations waiting behind it.
  /// - Throws: Any error that prevented the showing. Other presenters still show the presentation; without any, it ends as
  ///   failed with the error's description.
  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse

  /// Called before a withdrawal. When this returns, the presenter's task is canceled, unless it has already ended, for example
  /// with the answer that caused the withdrawal. In that case the answer is recorded, or ``answerRefused(_:for:)`` was called.
  func willWithdraw(_ presentation: Presentation, because reason: Presentation.Withdrawal) async

  /// Called when the number of waiting presentations has changed.
  func waitingCountChanged(to waiting: Int) async

  /// Called when the requester has reported progress on a sheet, from 0 to 1, optionally with one line of text. May be called
  /// before ``present(_:waiting:)`` has begun.
  func progressChanged(to fraction: Double, label: String?, of presentation: Presentation) async

  /// Called when an answer was refused, for example because another presenter answered first or the value is invalid.
  /// If the presentation is still shown, ``present(_:waiting:)`` is called for it again.
  func answerRefused(_ error: RouterError, for presentation: Presentation) async
}

extension Presenter {
  public func willWithdraw(_ presentation: Presentation, because reason: Presentation.Withdrawal) async {}
  public func waitingCountChanged(to waiting: Int) async {}
  public func progressChanged(to fraction: Double, label: String?, of presentation: Presentation) async {}
  public func answerRefused(_ error: RouterError, for presentation: Presentation) async {}
}

/// A presenter's attachment to a surface.
public struct PresenterAttachment: Sendable {
  /// The events to handle. The presenter stays attached while they are read, and is detached when the reading task is canceled
  /// or stops iterating.
  package var events: AsyncThrowingStream<PresenterEvent, any Error>
  /// Sends the person's response to one generation; throws a ``RouterError`` if it is rejected.
  package var respond: @Sendable (PresentationID, _ generation: Int, PresenterResponse) async throws -> Presentation
  /// Reports that the presentation cannot be shown, with the reason.
  package var fail: @Sendable (PresentationID, _ generation: Int, _ detail: String) async throws -> Presentation

  package init(
    events: AsyncThrowingStream<PresenterEvent, any Error>,
    respond: @escaping @Sendable (PresentationID, Int, PresenterResponse) async throws -> Presentation,
    fail: @escaping @Sendable (PresentationID, Int, String) async throws -> Presentation
  ) {
    self.events = events
    self.respond = respond
    self.fail = fail
  }
}
