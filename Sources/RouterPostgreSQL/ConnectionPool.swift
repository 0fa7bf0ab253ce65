#if PostgreSQL
import Dispatch
import Router

/// The connections for commits, shared by the surfaces that this host leads. Connects on demand.
final class ConnectionPool: Sendable {
  private struct State: @unchecked Sendable {
    var idle: [PostgreSQLConnection] = []
    var isStopped = false
  }

  private static let limit = 8
  /// The delay before another attempt to reach the database.
  static let retryDelay = Duration.milliseconds(100)

  private let url: String
  private let timeout: Duration
  private let state = Mutex(State())
  private let free = DispatchSemaphore(value: limit)
  private let stopSignal = DispatchSemaphore(value: 0)

  init(url: String, timeout: Duration) {
    self.url = url
    self.timeout = timeout
  }

  /// Runs `body` with a connection, which is closed if it was lost.
  func run<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
    free.wait()
    defer { free.signal() }
    let (idle, isStopped) = state.withLock { ($0.idle.popLast(), $0.isStopped) }
    if isStopped { throw RouterError(.shuttingDown, "cannot write the shared log: shutting down") }
    let connection = try idle ?? PostgreSQLConnection(url, timeout: timeout)
    do {
      let value = try body(connection)
      state.withLock { $0.idle.append(connection) }
      return value
    } catch let error as PostgreSQLError where !error.isDisconnection {
      state.withLock { $0.idle.append(connection) }
      throw error
    } catch {
      // The other connections are probably lost too.
      state.withLock { $0.idle = [] }
      throw error
    }
  }

  /// Waits before the next attempt. Throws once the pool is stopped.
  func waitToRetry() throws {
    let (seconds, attoseconds) = Self.retryDelay.components
    _ = stopSignal.wait(timeout: .now() + .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)))
    if state.withLock(\.isStopped) { throw RouterError(.shuttingDown, "cannot write the shared log: shutting down") }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.idle = []
    }
    for _ in 0..<Self.limit { stopSignal.signal() }
  }
}
#endif
