import RouterCore
import RouterSystem

extension AuditLog {
  func commitNow(_ waiting: [Waiting]) {
    let results = commit(waiting)
    for (waiting, result) in zip(waiting, results) { waiting.completion(result) }
    guard results.contains(where: { if case .failed = $0 { false } else { true } }) else { return }
    commitSignal.send(())
    projectSoon()
  }

  /// Commits the waiting batches, one transaction per round, until none is left.
  func drain() {
    while true {
      let waiting = queue.withLock { queue in
        defer { queue.waiting = [] }
        if queue.waiting.isEmpty { queue.isScheduled = false }
        return queue.waiting
      }
      if waiting.isEmpty { return }
      commitNow(waiting)
      finishCheckpoint()
    }
  }

  private func commit(_ all: [Waiting]) -> [AppendResult] {
    withWriter { writer in
      let (failure, isOnTrial, retries) = queue.withLock { ($0.failure, $0.isOnTrial, $0.retries) }
      if let failure { return all.map { _ in .failed(failure) } }
      do {
        if isOnTrial { try writer.prove() }
        var draft = try writer.draft(for: primary)
        var results: [AppendResult] = []
        var blocked: RouterError?
        for waiting in all {
          let append = waiting.append
          let isLate = !isInMemory && waiting.retries != retries
          if let failure = isLate ? RouterError.logUnavailable : blocked {
            results.append(.failed(failure))
            continue
          }
          do {
            try draft.add(append, to: &writer)
            results.append(.recorded(draft.end.seq))
          } catch let error as FoldError {
            // Later appends build on this decision.
            if append.source == .rules { blocked = RouterError(contradicting: error) }
            results.append(blocked.map { .failed($0) } ?? .refused(error))
            draft.refuse(
              append, because: blocked ?? RouterError(error.rejection ?? .notOpen, id: append.events.first?.presentation))
          }
        }
        try writer.commit(draft, to: primary)
        queue.withLock { ($0.isOnTrial, $0.failure, $0.isBehind) = (false, blocked, writer.copyFailure != nil) }
        lackRows()
        return results
      } catch {
        // A failed commit must not reappear after a crash: the callers receive an error.
        let isUndone = (try? writer.prove()) != nil || (error as? SQLiteError)?.isSyncFailure != true
        func failure(_ state: String) -> RouterError {
          let why = (error as? SQLiteError).map { ": " + $0.reason } ?? ""
          return RouterError(
            .logUnavailable, "cannot write the audit log\(why); \(state)", retryAfter: .seconds(1), cause: error)
        }
        queue.withLock { $0.failure = failure("nothing was changed") }
        let result = failure(isUndone ? "nothing was changed" : "if routerd ends now, its next start may find it recorded")
        return all.map { _ in .failed(result) }
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
