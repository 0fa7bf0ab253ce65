import RouterCore
import RouterSystem

extension AuditLog {
  func commitNow(_ batches: [Batch]) {
    let result = commit(batches)
    for batch in batches { batch.completion(result) }
    guard case .success = result else { return }
    commitSignal.send(())
    projectSoon()
  }

  /// Commits waiting batches, one transaction per round, until none is left.
  func drain() {
    while true {
      let batches = queue.withLock { queue in
        defer { queue.waiting = [] }
        if queue.waiting.isEmpty { queue.isScheduled = false }
        return queue.waiting
      }
      if batches.isEmpty { return }
      commitNow(batches)
      finishCheckpoint()
    }
  }

  private func commit(_ batches: [Batch]) -> Result<Void, RouterError> {
    withWriter { writer in
      let (failure, isOnTrial) = queue.withLock { ($0.failure, $0.isOnTrial) }
      if let failure { return .failure(failure) }
      do {
        if isOnTrial { try writer.prove() }
        let events = batches.count == 1 ? batches[0].events : batches.flatMap(\.events)
        if let primary {
          try writer.commit(events, replies: batches.flatMap(\.replies), to: primary)
        } else {
          try writer.commit(events)
        }
        queue.withLock { $0.isOnTrial = false }
        lackRows()
        return .success(())
      } catch {
        // A failed commit must not reappear after a crash: the callers are told that nothing changed.
        try? writer.prove()
        let why = (error as? SQLiteError).map { ": " + $0.reason } ?? ""
        let failure = RouterError(
          .logUnavailable, "cannot write the audit log\(why); nothing was changed", retryAfter: .seconds(1), cause: error)
        queue.withLock { $0.failure = failure }
        return .failure(failure)
      }
    }
  }

  /// Runs `body` with the writer on the log's thread, after all batches appended so far.
  func onWriter<Value: Sendable>(_ body: @escaping @Sendable (inout AuditWriter) throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      afterCommits {
        continuation.resume(
          with: Result {
            try self.withWriter { writer in
              try writer.project()
              defer { if writer.projector.cursor < writer.end.chain.seq { self.lackRows() } }
              return try body(&writer)
            }
          })
      }
    }
  }
}
