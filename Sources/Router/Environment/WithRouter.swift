/// Runs an operation with prompts on this program's terminal.
///
/// ```swift
/// try await withRouter {
///   if try await confirm("Delete the cache?", button: "Delete", destructive: true) { … }
/// }
/// ```
///
/// When the operation returns, open prompts end as interrupted; the call returns once every dismiss callback has returned.
/// Canceling the task cancels the operation.
///
/// - Parameters:
///   - log: The log, written before anything takes effect (default: a log in memory). It is not closed.
///   - presenter: Shows the prompts of the surface `main`.
///   - isolation: The caller's actor, on which the operation runs.
///   - operation: The operation, which asks with the actions of its environment.
/// - Throws: ``RouterError`` if the log cannot be read or written; any error of the operation.
public func withRouter<Value>(
  log: AuditLog? = nil, presenter: (any Presenter)? = .terminal, isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> Value
) async throws -> Value {
  let coordinator = try await PresentationCoordinator(log: try log ?? .inMemory(), presenter: presenter)
  do {
    let value = try await withEnvironment(\.presentationBroker, coordinator, operation: operation)
    await coordinator.shutDown()
    return value
  } catch {
    await coordinator.shutDown()
    throw error
  }
}
