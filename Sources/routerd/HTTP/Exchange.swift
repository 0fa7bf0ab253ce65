import NIOCore
import Router

/// The way back to the client of one request.
///
/// Everything but ``run(_:then:)`` and ``write(_:)`` is called on the connection's event loop. What is said after the
/// response, or after the connection has ended, is ignored.
struct Exchange: Sendable {
  let number: Int
  let loop: any EventLoop
  /// Where ``run(_:then:)`` works.
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
  /// - Parameter written: Called when the kernel has taken all of it.
  func respond(_ result: Result<Response, any Error>, written: (@Sendable () -> Void)? = nil) {
    connection.value.respond(result, to: number, written: promise(written))
  }

  func respond(with presentation: Result<Presentation, RouterError>, written: (@Sendable () -> Void)? = nil) {
    respond(presentation.map { Response(json: $0.jsonText) }.mapError { $0 }, written: written)
  }

  /// Has a body called if the connection ends before the response; if it has, at once.
  func onDisconnect(_ body: @escaping @Sendable () -> Void) { connection.value.onDisconnect(number, body) }

  // MARK: Server-sent events

  /// Starts a response of server-sent events, unless that was done: a client that gets its head knows that it is attached.
  func openStream() { connection.value.openStream(number) }

  /// Sends bytes of events. A client that leaves too much unread is disconnected.
  func send(_ bytes: [UInt8], written: (@Sendable () -> Void)? = nil) {
    connection.value.send(bytes, number, written: promise(written))
  }

  func closeStream() { connection.value.closeStream(number) }

  func disconnect() { connection.value.disconnect(number) }

  /// Sends bytes of events, from anywhere, and waits until the kernel has taken them.
  ///
  /// - Throws: If the connection ends before.
  func write(_ bytes: [UInt8]) async throws {
    let promise = loop.makePromise(of: Void.self)
    loop.execute { connection.value.send(bytes, number, written: promise) }
    try await promise.futureResult.get()
  }

  private func promise(_ written: (@Sendable () -> Void)?) -> EventLoopPromise<Void>? {
    written.map { written in
      let promise = loop.makePromise(of: Void.self)
      promise.futureResult.whenSuccess(written)
      return promise
    }
  }

  // MARK: Off the loop

  /// Runs a body that takes long or waits, off the event loop, and goes on there with its result. It is canceled when the
  /// connection ends.
  ///
  /// - Parameter then: Called with the result on the event loop; `nil` if it responds later.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value,
    then: @escaping @Sendable (Value) throws -> Response?
  ) {
    // Ends with the body, which ends soon after the connection.
    let task = Task(executorPreference: worker) {
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
    onDisconnect { task.cancel() }
  }
}
