import Router

/// Runs an operation whose actions ask the daemon, or on this program's terminal if no daemon listens.
///
/// - Throws: ``RouterError`` if the daemon is there and not ready; what the operation throws.
public func withRouter<Value>(
  _ client: RouterClient, isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Value
) async throws -> Value {
  do {
    try await client.checkHealth()
  } catch let error as RouterError where error.code == .unreachable {
    return try await withRouter(operation: operation)
  }
  return try await withEnvironment(\.presentationBroker, client, operation: operation)
}
