package import Router

/// A condition that did not become true in time.
package struct Unmet: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

/// The time limit for a condition, long enough for a busy machine.
private let patience = Duration.seconds(300)

/// Waits until a condition holds. Checks it immediately, and after each element of `changes`, which must be subscribed before
/// the call.
///
/// - Parameter condition: The condition's description in the error.
/// - Throws: ``Unmet`` if the changes end, the task is canceled, or five minutes have passed; any error of `isMet`.
package func eventually(
  _ condition: String, after changes: AsyncStream<Void>, isolation: isolated (any Actor)? = #isolation,
  _ isMet: () async throws -> Bool
) async throws {
  let (checks, check) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  // Both end with the wait.
  let tasks = [
    Task {
      for await _ in changes { check.yield() }
      check.finish()
    },
    Task {
      try? await PresentationClock.system.sleep(for: patience)
      check.finish()
    },
  ]
  defer { for task in tasks { task.cancel() } }
  if try await isMet() { return }
  for await _ in checks where try await isMet() { return }
  throw Unmet(description: "waited in vain until \(condition)")
}

extension AuditLog {
  /// Waits for a condition that depends on commits to this log.
  package func eventually(
    _ condition: String, isolation: isolated (any Actor)? = #isolation, _ isMet: () async throws -> Bool
  ) async throws {
    try await RouterTesting.eventually(condition, after: commits(), isMet)
  }
}
