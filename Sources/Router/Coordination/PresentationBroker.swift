/// Accepts requests and presenters: the ``PresentationCoordinator`` of this process, or a client of the daemon.
///
/// Its calls throw ``RouterError``: `notFound` for an unknown presentation, `shuttingDown` after the end of the coordinator,
/// `unreachable` without a daemon. Canceling a waiting task throws `CancellationError`, and leaves the presentation open.
public protocol PresentationBroker: Sendable {
  /// Sends a request. The request is enqueued when the call returns, so successive calls keep their order.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - onDismiss: Called once when the presentation has ended, with any outcome, after the waiters for the outcome were
  ///     resumed. A broker runs its callbacks one at a time, in the order of the ends. Not called for a refused request.
  func submit(_ request: PresentationRequest, onDismiss: (@Sendable () async -> Void)?) -> PresentationHandle

  /// Attaches a presenter to a surface, until reading of the attachment's events stops.
  func attach(presenter name: String, to surface: String) -> PresenterAttachment

  /// Shows progress on an open sheet or full-screen cover of this requester: a fraction from 0 to 1, and optionally one line of
  /// text. Progress is not recorded, and is lost when the presentation ends.
  func report(progress fraction: Double, label: String?, of id: PresentationID) async throws

  /// Returns the open presentations in display order.
  ///
  /// - Parameter surface: The surface to read; `nil` for all, ordered by name.
  func presentations(surface: String?) async throws -> [Presentation]

  /// Returns an open or ended presentation.
  func presentation(_ id: PresentationID) async throws -> Presentation

  /// Waits until a presentation of any requester has ended, and returns it.
  func resolved(_ id: PresentationID) async throws -> Presentation

  /// Cancels an open presentation, and returns it once the end is recorded.
  @discardableResult
  func cancel(_ id: PresentationID) async throws -> Presentation
}

/// Called when a presentation has ended. The broker's next callback waits until this one returns; start a task for long
/// work.
package typealias DismissCallback = @Sendable () async -> Void

extension PresentationBroker {
  /// Does nothing.
  public func report(progress fraction: Double, label: String?, of id: PresentationID) async throws {}

  /// Sends a request without a dismiss callback.
  public func submit(_ request: PresentationRequest) -> PresentationHandle {
    submit(request, onDismiss: nil)
  }
}
