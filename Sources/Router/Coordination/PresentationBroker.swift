/// Whatever takes requests and presenters: the ``PresentationCoordinator`` of this process, or a client of the daemon.
///
/// The injected actions and the presenters are written against this and cannot tell which it is.
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

/// What a requester leaves to be called when its presentation ends. The next one of the same broker waits until it has returned:
/// what takes long belongs into a task of its own.
public typealias DismissCallback = @Sendable () async -> Void

extension PresentationBroker {
  /// Asks, without a dismiss callback.
  public func submit(_ request: PresentationRequest) -> PresentationHandle {
    submit(request, onDismiss: nil)
  }
}
