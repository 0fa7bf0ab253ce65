import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Accepts connections on a socket until a graceful shutdown, then lets the requests under way end.
struct ListenerService: Service {
  let name: String
  let descriptor: CInt
  let loop: any EventLoop
  let gate: ConnectionGate
  /// Prepares a new connection, on the event loop; one for which this throws is closed.
  let open: @Sendable (any Channel) throws -> Void
  let logger: Logger
  let ready: @Sendable () throws -> Void
  let stopping: @Sendable () -> Void
  /// Ends what the connections are for; called after that.
  let ending: @Sendable () async -> Void

  /// - Throws: What the kernel refuses, and `CancellationError` when the task is canceled before the last connection has ended.
  func run() async throws {
    let listener = try await ServerBootstrap(group: loop)
      // A connection keeps what it last read into, while it waits for a person too; most requests are smaller than this.
      .childChannelOption(.allowRemoteHalfClosure, value: false)
      .childChannelOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 1024, maximum: 65536))
      .childChannelInitializer { [open] child in child.eventLoop.makeCompletedFuture { try open(child) } }
      .withBoundSocket(descriptor).get()
    try ready()
    let ended = loop.makePromise(of: Void.self)
    logger.notice("listening", metadata: ["socket": "\(name)"])
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        try await ended.futureResult.get()
      } onGracefulShutdown: {
        stopping()
        // Ends with the process at the latest: the service group waits for the connections, and this ends them.
        Task {
          await ending()
          try? await listener.close()
          await gate.quiesce()
          ended.succeed()
        }
      }
    } onCancel: {
      ended.fail(CancellationError())
    }
  }
}
