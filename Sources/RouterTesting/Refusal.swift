import Router

/// A refused request, thrown to a test that waits for its prompt.
struct Refusal: Error, CustomStringConvertible {
  let request: PresentationRequest
  let error: any Error
  let handle: PresentationHandle
  /// Identifies the task that made the request.
  let task: Int?

  /// Whether the running task made the request, and so received the error itself.
  var isKnown: Bool { !handle.isAnswerForgone && task == withUnsafeCurrentTask { $0?.hashValue } }

  var description: String { "cannot show \(request.designation): it was refused: \(error)" }
}
