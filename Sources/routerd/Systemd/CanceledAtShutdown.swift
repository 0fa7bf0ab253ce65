import ServiceLifecycle

/// Runs `body`, and cancels it at a graceful shutdown. The function of ServiceLifecycle would start a task on libdispatch's
/// threads, which stops its caller while no thread can start.
func canceledAtShutdown(_ body: @escaping @Sendable () async -> Void) async {
  let (shutdown, shutsDown) = AsyncStream<Void>.makeStream()
  await withGracefulShutdownHandler {
    await withTaskGroup(of: Void.self) { tasks in
      tasks.addTask { await body() }
      tasks.addTask { for await _ in shutdown {} }
      await tasks.next()
      tasks.cancelAll()
    }
  } onGracefulShutdown: {
    shutsDown.finish()
  }
}
