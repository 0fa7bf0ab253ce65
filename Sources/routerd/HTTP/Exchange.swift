import CWipingAllocator
import NIOCore
import Router

/// Sends the response to one request.
///
/// Call all methods except ``run(_:then:)`` and ``write(_:)`` on the connection's event loop. Calls after the response or after
/// the end of the connection are ignored.
struct Exchange: Sendable {
  let number: Int
  let loop: any EventLoop
  /// The executor of ``run(_:then:)``.
  let worker: any TaskExecutor
  private let connection: NIOLoopBound<ConnectionHandler>

  init(_ connection: ConnectionHandler, number: Int, loop: any EventLoop, worker: any TaskExecutor) {
    self.number = number
    self.loop = loop
    self.worker = worker
    self.connection = NIOLoopBound(connection, eventLoop: loop)
  }

  /// Sends the response.
  ///
  /// - Parameter written: Called once the kernel has accepted the entire response.
  func respond(_ result: Result<Response, any Error>, written: (@Sendable () -> Void)? = nil) {
    connection.value.respond(result, to: number, written: Self.callback(written))
  }

  func respond(with presentation: Result<Presentation, RouterError>, written: (@Sendable () -> Void)? = nil) {
    respond(presentation.map { Response(json: $0.jsonText) }.mapError { $0 }, written: written)
  }

  /// Calls `body` if the connection ends before the response; immediately if it has already ended.
  func onDisconnect(_ body: @escaping @Sendable () -> Void) { connection.value.onDisconnect(number, body) }

  // MARK: Server-sent events

  /// Starts a response of server-sent events, unless already started. The response head tells the client that it is attached.
  func openStream() { connection.value.openStream(number) }

  /// Sends the bytes of events. Disconnects the client if it leaves too much unread.
  func send(_ bytes: [UInt8], written: (@Sendable () -> Void)? = nil) {
    connection.value.send(bytes, number, written: Self.callback(written))
  }

  func closeStream() { connection.value.closeStream(number) }

  func disconnect() { connection.value.disconnect(number) }

  /// Sends the bytes of events, from any executor, and waits until the kernel has accepted them.
  ///
  /// - Throws: An error if the connection ends first.
  func write(_ bytes: [UInt8]) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      loop.execute { connection.value.send(bytes, number) { continuation.resume(with: $0) } }
    }
  }

  private static func callback(_ written: (@Sendable () -> Void)?) -> ConnectionHandler.Written? {
    guard let written else { return nil }
    return { result in
      if case .success = result { written() }
    }
  }

  /// Wipes the loop's stack after the current turn, which has handled a sensitive answer.
  func wipeStackSoon() { loop.execute { wipe_dead_stack() } }

  // MARK: Off the loop

  /// Runs a slow or blocking body off the event loop, and passes its result to `then` on the event loop. Canceled when the
  /// connection ends. Wipes the worker's stack, because the request may contain a sensitive answer.
  ///
  /// - Parameter then: Returns the response; `nil` to respond later.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value,
    then: @escaping @Sendable (Value) throws -> Response?
  ) {
    // Ends with the body, which is canceled with the connection.
    let task = Task(executorPreference: worker) {
      await finish(body, then)
      wipe_dead_stack()
    }
    onDisconnect { task.cancel() }
  }

  private func finish<Value: Sendable>(
    _ body: @Sendable () async throws -> Value, _ then: @escaping @Sendable (Value) throws -> Response?
  ) async {
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    loop.execute {
      do {
        if let response = try then(try result.get()) { respond(.success(response)) }
      } catch {
        respond(.failure(error))
      }
    }
  }
}
