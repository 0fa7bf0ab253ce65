import Dispatch

/// An actor that owns a connection and runs on a serial queue of its own, so that SQLite's blocking calls never hold up
/// the cooperative pool.
protocol SQLiteOwner: Actor {
  var connection: SQLiteConnection { get }
}

extension SQLiteOwner {
  /// Runs a body with the connection.
  func perform<Result: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Result) throws -> Result {
    try body(connection)
  }
}

/// Runs an actor's jobs on a serial dispatch queue.
final class SerialQueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
