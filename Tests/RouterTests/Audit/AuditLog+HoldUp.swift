import Dispatch

@testable import Router

extension AuditLog {
  /// Holds up the log's thread, after all that was appended before and until it is let go.
  ///
  /// - Parameter fails: Whether nothing can be written from then on.
  func holdUp(fails: Bool = false) async -> DispatchSemaphore {
    let (isHeld, hold) = AsyncStream<Void>.makeStream()
    let letGo = DispatchSemaphore(value: 0)
    flush()
    writer.schedule { writer in
      hold.finish()
      letGo.wait()
      if fails { try? writer.connection.execute("PRAGMA query_only = ON") }
    }
    for await _ in isHeld {}
    return letGo
  }
}
