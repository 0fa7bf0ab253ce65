import Router
import Testing

extension TestBroker {
  /// Runs a test's body with this broker in the environment, records unfinished work, and shuts the broker down.
  func run<Value>(
    patience: Duration, leaving isAllowed: (UnfinishedWork.Item) -> Bool, isolation: isolated (any Actor)?,
    sourceLocation: SourceLocation, operation: (Self) async throws -> Value
  ) async throws -> Value {
    func record(_ items: [UnfinishedWork.Item]) {
      let left = items.filter { !isAllowed($0) }
      if !left.isEmpty { Issue.record("\(UnfinishedWork(items: left))", sourceLocation: sourceLocation) }
    }
    do {
      let value = try await watched(patience: patience, isolation: isolation, sourceLocation: sourceLocation) {
        try await withEnvironment(\.presentationBroker, self) { try await operation(self) }
      }
      record(try await work.unfinished())
      try await shutDown()
      return value
    } catch {
      // A failed step may have caused the operation's error, and other unfinished work may be a consequence of that error.
      record(work.failedSteps)
      try? await shutDown()
      throw error
    }
  }

  /// Runs an operation. If it stalls, shuts the broker down, which ends the operation's waits, and fails the test. The
  /// operation's result is then discarded.
  private func watched<Value>(
    patience: Duration, isolation: isolated (any Actor)?, sourceLocation: SourceLocation, operation: () async throws -> Value
  ) async throws -> Value {
    let found = Mutex<String?>(nil)
    // Canceled when the operation has ended.
    async let _: Void = {
      guard let stall = await stall(after: patience) else { return }
      found.withLock { $0 = stall }
      try? await shutDown()
      // A busy machine may need longer than a short patience to end the waits.
      guard (try? await Task.sleep(for: max(patience, .seconds(10)))) != nil, let stall = found.withLock({ $0.take() }) else {
        return
      }
      Issue.record(
        "\(stall); the test waits for something other than its router, and must end by itself", sourceLocation: sourceLocation)
    }()
    let result: Result<Value, any Error>
    do {
      result = .success(try await operation())
    } catch {
      result = .failure(error)
    }
    if let stall = found.withLock({ $0.take() }) {
      // Unlike a recorded issue, a failed requirement ends the test without a second issue for its error.
      let somethingHappened = false
      try #require(somethingHappened, "\(stall)", sourceLocation: sourceLocation)
    }
    return try result.get()
  }
}
