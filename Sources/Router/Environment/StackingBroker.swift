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
    let parent = parent()
    var request = request
    if request.over == nil, request.surface == surface { request.over = parent }
    let handle = broker.submit(request, onDismiss: onDismiss)
    if let parent, request.over == parent { stacked(handle) }
    return handle
  }

  func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    broker.attach(presenter: name, to: surface)
  }

  func report(progress fraction: Double, label: String?, of id: PresentationID) async throws {
    try await broker.report(progress: fraction, label: label, of: id)
  }
}
