import Router
import Testing

/// A refused request, which a test that waits for its prompt would wait for in vain.
struct Refusal: Error, CustomStringConvertible {
  let request: PresentationRequest
  let error: any Error
  let handle: PresentationHandle
  /// Identifies the task that made the request.
  let task: Int?

  /// Whether the running task has got the error itself.
  var isKnown: Bool { !handle.isAnswerForgone && task == withUnsafeCurrentTask { $0?.hashValue } }

  var description: String { "cannot show \(request.designation): it was refused: \(error)" }
}

/// Makes a prompt that is posted without a broker a failure of its test, which otherwise is only logged.
let failsForgottenBrokers: Void = PresentationAsking.brokerForgotten.withLock { $0 = { Issue.record($0) } }
