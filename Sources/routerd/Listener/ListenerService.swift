import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// Accepts connections on a socket until a graceful shutdown, then lets the requests under way end.
struct ListenerService<Child: ServerChildChannel>: Service where Child.Value: Sendable {
  /// What is listened on, for the log.
  let name: String
  let descriptor: CInt
  let channel: Child
  let logger: Logger
  /// Called when connections are accepted.
  let ready: @Sendable () throws -> Void
  /// Called when a graceful shutdown begins.
  let stopping: @Sendable () -> Void
  /// Ends what the connections are for; called after that.
  let ending: @Sendable () async -> Void

  func run() async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let quiescing = ServerQuiescingHelper(group: group)
    let listener = try await ServerBootstrap(group: group)
      .serverChannelInitializer { server in
        server.eventLoop.makeCompletedFuture {
          try server.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: server))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: false)
      .bind(descriptor) { [channel, logger] child in channel.setup(channel: child, logger: logger) }
    try ready()
    logger.notice("listening", metadata: ["socket": "\(name)"])
    try await withGracefulShutdownHandler {
      try await withThrowingDiscardingTaskGroup { connections in
        try await listener.executeThenClose { inbound in
          for try await connection in inbound {
            connections.addTask { await channel.handle(value: connection, logger: logger) }
          }
        }
      }
    } onGracefulShutdown: {
      stopping()
      // Ends with the process at the latest: the service group waits for the connections, and this ends them.
      Task {
        await ending()
        quiescing.initiateShutdown(promise: nil)
      }
    }
  }
}
