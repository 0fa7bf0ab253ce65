import Logging
import NIOCore
import NIOPosix

/// Accepts connections until the service is stopped, and then waits for pending requests.
struct ListenerService: Service {
  let name: String
  let descriptor: CInt
  let loop: any EventLoop
  /// Whether a client that has closed its sending side still gets responses. Over TCP, this is the only sign of a closed
  /// browser.
  let answersHalfClosed: Bool
  let gate: ConnectionGate
  /// Sets up a new connection, on the event loop. If the future fails, the connection is closed.
  let open: @Sendable (any Channel) -> EventLoopFuture<Void>
  let logger: Logger
  let ready: @Sendable () throws -> Void
  let stopping: @Sendable () -> Void
  /// Ends the pending requests; called after `stopping`.
  let ending: @Sendable () async -> Void

  /// - Throws: A system error; `CancellationError` if the task is canceled before the last connection has ended.
  func run(until stop: StopSignal) async throws {
    let listener = try await ServerBootstrap(group: loop)
      // Accepting is cheap. A connection behind many of another user must not wait for all of their setups.
      .serverChannelOption(.maxMessagesPerRead, value: 64)
      .childChannelOption(.allowRemoteHalfClosure, value: answersHalfClosed)
      // A waiting connection keeps its last read buffer, so buffers start small; most requests fit.
      .childChannelOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 1024, maximum: 65536))
      .childChannelInitializer(open)
      .withBoundSocket(descriptor).get()
    try ready()
    let ended = loop.makePromise(of: Void.self)
    logger.notice("listening", metadata: ["socket": "\(name)"])
    try await withTaskCancellationHandler {
      await stop.wait()
      if !Task.isCancelled {
        stopping()
        // Ends when the connections have closed, which this service awaits.
        Task(executorPreference: LoopExecutor(loop)) {
          await ending()
          try? await listener.close()
          await gate.quiesce()
          ended.succeed()
        }
      }
      try await ended.futureResult.get()
    } onCancel: {
      ended.fail(CancellationError())
    }
  }
}
