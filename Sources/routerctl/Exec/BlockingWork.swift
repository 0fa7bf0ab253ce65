import Dispatch

/// Does what blocks on a thread of its own, not on one of the cooperative pool. Cancelling the task changes nothing.
func blockingWork<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    // A queue of its own gets a thread at once; the global ones wait for a second where all of theirs are blocked.
    DispatchQueue(label: "routerctl.blocking").async { continuation.resume(returning: work()) }
  }
}
