import Glibc
package import RouterCore

package enum Thread {
  private final class Start {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a thread that ends when `body` returns. The thread blocks all signals, which the main thread handles.
  ///
  /// - Throws: ``RouterError`` with the code `unavailable` if the kernel refuses another thread.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(RouterError) {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(body: body))
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    guard code != 0 else {
      pthread_detach(thread)
      return
    }
    start.release()
    throw RouterError(
      .unavailable,
      "cannot start a thread: \(String(cString: strerror(code))); allow more threads or memory (ulimit -u, ulimit -v, TasksMax)",
      retryAfter: .seconds(1))
  }
}
