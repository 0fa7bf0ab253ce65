import Dispatch

@testable import Router

extension AuditLog {
  /// Holds up the log's thread, after everything that was appended before and until it is let go. A log in memory has none.
  ///
  /// - Parameter fails: Whether nothing can be written from then on.
  func holdUp(fails: Bool = false) async -> DispatchSemaphore {
    let (isHeld, hold) = AsyncStream<Void>.makeStream()
    let letGo = DispatchSemaphore(value: 0)
    turn {
      hold.finish()
      letGo.wait()
      if fails { try? self.execute("PRAGMA query_only = ON") }
    }
    for await _ in isHeld {}
    return letGo
  }

  /// Runs SQL past the log, on its own connection.
  func execute(_ sql: String) throws { try withWriter { try $0.connection.execute(sql) } }
}
