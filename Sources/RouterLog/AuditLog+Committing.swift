import RouterCore
import RouterSystem

extension AuditLog {
  func commitNow(_ batches: [Batch]) {
    let results = commit(batches)
    for (batch, result) in zip(batches, results) { batch.completion(result) }
    guard results.contains(where: { if case .failed = $0 { false } else { true } }) else { return }
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

  private func commit(_ batches: [Batch]) -> [AppendResult] {
    withWriter { writer in
      let (failure, isOnTrial, retries) = queue.withLock { ($0.failure, $0.isOnTrial, $0.retries) }
      if let failure { return batches.map { _ in .failed(failure) } }
      do {
        if isOnTrial { try writer.prove() }
        var draft = try writer.draft(for: primary)
        var results: [AppendResult] = []
        var blocked: RouterError?
        for batch in batches {
          let isLate = !isInMemory && batch.retries != retries
          if let failure = isLate ? RouterError.logUnavailable : blocked {
            results.append(.failed(failure))
            continue
          }
          do {
            try draft.add(batch.events, from: batch.source, replies: batch.replies, to: &writer)
            results.append(.recorded(draft.end.seq))
          } catch let error as FoldError {
            // What comes after a decision builds on it.
            if batch.source == .rules { blocked = RouterError(contradicting: error) }
            results.append(blocked.map { .failed($0) } ?? .refused(error))
            draft.refuse(
              batch.replies, because: blocked ?? RouterError(error.rejection ?? .notOpen, id: batch.events.first?.presentation))
          }
        }
        try writer.commit(draft, to: primary)
        queue.withLock { ($0.isOnTrial, $0.failure) = (false, blocked) }
        lackRows()
        return results
      } catch {
        // A failed commit must not reappear after a crash: the callers are told that nothing changed.
        try? writer.prove()
        let why = (error as? SQLiteError).map { ": " + $0.reason } ?? ""
        let failure = RouterError(
          .logUnavailable, "cannot write the audit log\(why); nothing was changed", retryAfter: .seconds(1), cause: error)
        queue.withLock { $0.failure = failure }
        return batches.map { _ in .failed(failure) }
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
