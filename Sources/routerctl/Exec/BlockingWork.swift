import Dispatch

/// Does what blocks on a thread that may block, not on one of the cooperative pool. Cancelling the task changes nothing.
func blockingWork<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: work()) }
  }
}
