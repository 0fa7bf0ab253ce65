import Dispatch

/// Runs blocking work on a separate thread, outside the cooperative pool. Canceling the task has no effect.
package func blockingWork<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    // A dedicated queue gets a thread immediately; a global queue waits up to a second if all its threads are blocked.
    DispatchQueue(label: "router.blocking").async { continuation.resume(returning: work()) }
  }
}
