import Router

/// Runs an operation with prompts through the daemon, or on this program's terminal if no daemon is listening.
///
/// When the operation returns, its open prompts are withdrawn; the call returns once every dismiss callback has returned.
/// Canceling the task cancels the operation.
///
/// - Throws: ``RouterError`` if the daemon is running but not ready; any error of the operation.
public func withRouter<Value>(
  _ client: RouterClient, isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Value
) async throws -> Value {
  do {
    try await client.checkHealth()
  } catch let error as RouterError where error.code == .unreachable {
    return try await withRouter(operation: operation)
  }
  let asking = EndingBroker(client: client)
  let result: Result<Value, any Error>
  do {
    result = .success(try await withEnvironment(\.presentationBroker, asking, operation: operation))
  } catch {
    result = .failure(error)
  }
  await asking.end()
  return try result.get()
}

/// A client's broker that ends its requests when its operation ends.
private final class EndingBroker: ForwardingBroker, RemoteBroker {
  let client: RouterClient
  private let handles = Mutex<[PresentationHandle]>([])

  init(client: RouterClient) { self.client = client }

  var broker: any PresentationBroker { client }
  var socketPath: String { client.socketPath }

  func submit(_ request: PresentationRequest, onDismiss: (@Sendable () async -> Void)?) -> PresentationHandle {
    let handle = client.submit(request, onDismiss: onDismiss)
    handles.withLock { handles in
      handles.removeAll(where: \.hasEnded)
      handles.append(handle)
    }
    return handle
  }

  /// Withdraws open prompts. Returns once they have ended and their dismiss callbacks have returned.
  func end() async {
    let open = handles.withLock(\.self)
    for handle in open { handle.cancel() }
    for handle in open { await handle.ended() }
    await client.callbacks.finished()
  }
}
