/// Takes requests and presenters: the ``PresentationCoordinator`` of this process, or a client of the daemon.
public protocol PresentationBroker: Sendable {
  /// Asks. The request stands in a first-in, first-out mailbox when this returns, so that two calls in a row keep their order.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - onDismiss: Called once when the presentation has ended, however it ended, after whoever waits for the outcome was
  ///     resumed. Those of one broker are called one after the other, in the order in which it learns that their
  ///     presentations have ended. It is not called for a request that was refused.
  func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle

  /// Attaches a presenter to a surface for as long as the attachment's events are read.
  func attach(presenter name: String, to surface: String) -> PresenterAttachment
}

/// Called when a presentation has ended. The broker's next callback waits until it returns; start a task for long work.
public typealias DismissCallback = @Sendable () async -> Void

extension PresentationBroker {
  /// Asks, without a dismiss callback.
  public func submit(_ request: PresentationRequest) -> PresentationHandle {
    submit(request, onDismiss: nil)
  }
}
