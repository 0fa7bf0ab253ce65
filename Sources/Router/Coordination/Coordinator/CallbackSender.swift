/// Delivers callbacks to programs, for requests with ``PresentationRequest/onDismiss``.
package protocol CallbackSender: Sendable {
  /// Makes one delivery attempt. Must time out by itself, and return soon after its task is canceled.
  ///
  /// - Parameters:
  ///   - presentation: The resolved presentation, without a sensitive answer.
  ///   - address: The address of the requester's listener.
  /// - Throws: Any error if the callback was not accepted. Its description is recorded.
  func send(_ presentation: Presentation, to address: PresentationRequest.CallbackAddress) async throws
}
