import Dispatch
import Glibc

/// Signals that ask the program to leave.
enum Signals {
  /// Does `perform`; calls `leave` at the first SIGINT, SIGTERM or SIGHUP meanwhile. A second one ends the program at once.
  static func whileHandling<Result>(
    _ leave: @escaping @Sendable () -> Void, perform: () async throws -> Result
  ) async rethrows -> Result {
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    let queue = DispatchQueue(label: "routerctl.signals")
    let sources = numbers.map { number in
      // The default action would end the program before the source is told.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        for number in numbers { signal(number, SIG_DFL) }
        leave()
      }
      source.activate()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      for number in numbers { signal(number, SIG_DFL) }
    }
    return try await perform()
  }
}
