/// The broker of code inside a presentation. Stacks the code's requests on the presentation; if they were queued behind it,
/// each would wait for the other.
struct StackingBroker: ForwardingBroker {
  package let broker: any PresentationBroker
  let surface: String
  /// The presentation to stack on; `nil` when it has ended.
  let parent: @Sendable () -> PresentationID?
  /// Called with each stacked request.
  var stacked: @Sendable (PresentationHandle) -> Void = { _ in }

  package func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    let parent = parent()
    var request = request
    if request.over == nil, request.surface == surface { request.over = parent }
    let handle = broker.submit(request, onDismiss: onDismiss)
    if let parent, request.over == parent { stacked(handle) }
    return handle
  }

  /// The underlying broker, which does not stack.
  fileprivate var base: any PresentationBroker { (broker as? StackingBroker)?.base ?? broker }
}

/// A broker in another process. Values with the same socket path are the same broker.
package protocol RemoteBroker: PresentationBroker {
  var socketPath: String { get }
}

extension PresentationBroker {
  /// Whether both are the same broker, so that a prompt of one can be stacked on a prompt of the other.
  func isSame(as other: any PresentationBroker) -> Bool {
    let (own, other) = ((self as? StackingBroker)?.base ?? self, (other as? StackingBroker)?.base ?? other)
    if let own = own as? any RemoteBroker { return own.socketPath == (other as? any RemoteBroker)?.socketPath }
    return own as AnyObject === other as AnyObject
  }
}
