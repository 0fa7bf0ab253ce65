import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import Router
import ServiceLifecycle

/// Accepts connections on the daemon's socket until a graceful shutdown, then lets the requests under way end.
struct ListenerService: Service {
  let socket: ListeningSocket
  let channel: PeerChannel
  let coordinator: PresentationCoordinator
  let logger: Logger
  /// Called when connections are accepted.
  let ready: @Sendable () -> Void
  /// Called when a graceful shutdown begins.
  let stopping: @Sendable () -> Void

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
      .bind(socket.descriptor) { [channel, logger] child in channel.setup(channel: child, logger: logger) }
    // NIO has called listen(2) with its own, smaller backlog.
    try socket.listen()
    logger.notice("listening", metadata: ["socket": "\(socket.path)"])
    ready()
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
      socket.remove()
      // Ends with the process at the latest: the service group waits for the connections, and this ends them.
      Task {
        await coordinator.shutDown()
        quiescing.initiateShutdown(promise: nil)
      }
    }
  }
}
