import Glibc
import Router

/// Detects that a question is abandoned, because a caller has exited or a signal asks the program to stop.
enum CallerWatch {
  /// Calls `leave` if the parent or one of `callers` exits during `perform`, or on SIGINT, SIGTERM, SIGHUP or SIGQUIT. After a
  /// signal, the program ends when the last `perform` has returned; a second signal ends it immediately.
  ///
  /// - Throws: ``RouterError`` if a watching thread cannot start; any error of `perform`.
  static func watching<Result: Sendable>(
    parent: Int32, _ callers: [Int32], leave: @escaping @Sendable () -> Void, perform: () async throws -> Result
  ) async throws -> Result {
    try SocketReadiness.shared.start()
    defer { Signals.endByReceived() }
    return try await Signals.whileHandling(leave) {
      try await withThrowingTaskGroup { group in
        defer { group.cancelAll() }
        var isGone = false
        for caller in [parent] + callers where caller > 0 {
          if let descriptor = Descriptors.process(caller) {
            group.addTask {
              defer { close(descriptor) }
              if (try? await SocketReadiness.shared.wait(for: descriptor, .reading)) != nil { leave() }
            }
          } else if errno == ESRCH {
            isGone = true
          }
        }
        // If the parent has exited, its id may already belong to another process.
        if isGone || getppid() != parent { leave() }
        return try await perform()
      }
    }
  }
}
