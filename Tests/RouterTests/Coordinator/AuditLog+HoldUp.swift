import Dispatch

@testable import Router
@testable import RouterLog

extension AuditLog {
  /// Blocks the log's thread after earlier appends until the semaphore is signaled. In-memory logs have no thread.
  ///
  /// - Parameter fails: Whether writing fails from then on.
  func holdUp(fails: Bool = false) async -> DispatchSemaphore {
    let (isHeld, hold) = AsyncStream<Void>.makeStream()
    let letGo = DispatchSemaphore(value: 0)
    afterCommits {
      hold.finish()
      letGo.wait()
      if fails { try? self.execute("PRAGMA query_only = ON") }
    }
    for await _ in isHeld {}
    return letGo
  }

  /// Runs SQL on the log's connection, bypassing the log, after the rows of earlier events are written.
  func execute(_ sql: String) throws {
    try withWriter { writer in
      try? writer.project()
      try writer.connection.execute(sql)
    }
  }
}
