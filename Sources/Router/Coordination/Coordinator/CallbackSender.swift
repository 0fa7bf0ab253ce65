/// Calls programs back: what the coordinator uses to deliver a request's ``PresentationRequest/onDismiss``.
public protocol CallbackSender: Sendable {
  /// Makes one try. It must come to an end by itself; when its task is cancelled, soon.
  ///
  /// - Parameters:
  ///   - presentation: The resolved presentation; a sensitive answer is not in it.
  ///   - address: Where its requester listens.
  /// - Throws: Why it was not accepted; the error's description goes on record.
  func send(_ presentation: Presentation, to address: CallbackAddress) async throws
}
