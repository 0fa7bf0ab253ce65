/// The broker of code that runs inside a presentation. It stacks what that code asks for on the presentation; queued behind it,
/// each would wait for the other.
struct StackingBroker: PresentationBroker {
  let broker: any PresentationBroker
  let surface: String
  /// The presentation to stack on; `nil` when it has ended.
  let parent: @Sendable () -> PresentationID?
  /// Told of each request that was stacked.
  var stacked: @Sendable (PresentationHandle) -> Void = { _ in }

  func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    guard request.over == nil, request.surface == surface else { return broker.submit(request, onDismiss: onDismiss) }
    var request = request
    request.over = parent()
    let handle = broker.submit(request, onDismiss: onDismiss)
    stacked(handle)
    return handle
  }

  func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    broker.attach(presenter: name, to: surface)
  }
}
