public import Router
public import RouterClient
public import Testing

/// Runs a test's body with its own daemon, and a client of the daemon in the environment. Otherwise behaves like
/// ``withTestRouter(limits:patience:leaving:isolation:sourceLocation:operation:)``. Use it to test features of `routerd`: other
/// programs, remembered answers and rules.
///
/// ```swift
/// @Test func `asks over the daemon`() async throws {
///   try await withTestDaemon { daemon in
///     _ = daemon.presenter(script: [.press("Delete")])
///     #expect(try await Cleaner().clean("cache"))
///   }
/// }
/// ```
///
/// The daemon's socket, log and configuration are in a temporary directory. When the operation has returned or thrown,
/// including after a cancellation, the daemon is stopped and the directory removed.
///
/// - Parameters:
///   - routerd: The path of `routerd` (default: beside the test program, where SwiftPM builds it if the test target depends on
///     the product `routerd`, otherwise in `PATH`).
///   - configuration: The text of its `routerd.yaml` (default: dismissals do not slow a requester down).
///   - patience: The maximum period of inactivity while the operation waits.
///   - isAllowed: Whether an unfinished item is allowed (default: never).
///   - operation: The test's body. Code that it calls, and its child tasks, use the daemon.
/// - Throws: ``RouterError`` with the daemon's output, if it does not start or fails; any error of the operation.
@discardableResult
public func withTestDaemon<Value>(
  routerd: String? = nil, configuration: String = "backoff:\n  dismissals: 0\n", patience: Duration = .seconds(10),
  leaving isAllowed: (UnfinishedWork.Item) -> Bool = { _ in false }, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, operation: (TestDaemon) async throws -> Value
) async throws -> Value {
  let daemon = try await TestDaemon(routerd, configuration: configuration)
  return try await daemon.run(
    patience: patience, leaving: isAllowed, isolation: isolation, sourceLocation: sourceLocation, operation: operation)
}

/// A daemon for one test. Tracks the test's unfinished work.
public final class TestDaemon: TestBroker {
  /// A client of the daemon. Other programs get its socket path as `ROUTERD_SOCKET`. Requests sent directly through it are not
  /// tracked.
  public let client: RouterClient
  /// Reads the log's file.
  public let reader: AuditReader
  public let work: TestWork
  private let daemon: PrivateDaemon

  fileprivate init(_ routerd: String?, configuration: String) async throws {
    // With its process in the test's group, Ctrl-C ends both.
    daemon = try await PrivateDaemon(executable: routerd, settings: configuration, leadsGroup: false)
    client = RouterClient(socketPath: daemon.socket, app: "test", reconnect: .never)
    work = TestWork(of: client)
    do {
      reader = try AuditReader(path: daemon.database)
    } catch {
      try? await daemon.stop()
      throw error
    }
  }

  /// Stops the daemon, which ends open presentations as interrupted, and detaches the presenters. Ignores cancellation of the
  /// task.
  ///
  /// - Throws: ``RouterError`` with the code `unreachable` and the daemon's output, if the daemon has failed.
  public func shutDown() async throws {
    defer { work.disconnect() }
    try await daemon.stop()
  }
}
