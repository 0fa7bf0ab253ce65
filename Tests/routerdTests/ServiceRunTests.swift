import Router
import RouterTesting
import Testing

@testable import routerd

// Promise P64.
@Suite(.timeLimit(.minutes(10)))
struct ServiceRunTests {
  private final class Record: Sendable {
    let lines = Mutex<[String]>([])
  }

  private let record = Record()
  private let terminations: AsyncStream<Void>
  private let terminated: AsyncStream<Void>.Continuation

  init() {
    (terminations, terminated) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  private struct Failure: Error, Equatable {
    let name: String
  }

  /// A service that records its stop and its end.
  private struct TestService: Service {
    let name: String
    let write: @Sendable (String) -> Void
    var started: @Sendable () -> Void = {}
    var stopping: @Sendable () async throws -> Void = {}
    /// Ends the service early, or fails.
    var early: (@Sendable () async throws -> Void)?

    func run(until stop: StopSignal) async throws {
      started()
      if let early { return try await early() }
      await stop.wait()
      write(Task.isCancelled ? "\(name) is canceled" : "\(name) stops")
      try await stopping()
      write("\(name) ends")
    }
  }

  private func service(_ name: String) -> TestService {
    TestService(name: name) { line in record.lines.withLock { $0.append(line) } }
  }

  private var lines: [String] { record.lines.withLock { $0 } }

  private func run(_ services: [any Service], shutdownTime: Duration = .seconds(600)) async throws {
    try await ServiceRun(services: services, terminations: terminations, shutdownTime: shutdownTime).run()
  }

  @Test func `stops services in reverse order, each after the end of the one before`() async throws {
    var last = service("c")
    last.started = { terminated.yield() }
    last.stopping = { await Task.detached {}.value }
    try await run([service("a"), service("b"), last])
    #expect(lines == ["c stops", "c ends", "b stops", "b ends", "a stops", "a ends"])
  }

  @Test func `stops after a signal that arrived before the start`() async throws {
    terminated.yield()
    try await run([service("a"), service("b")])
    #expect(lines == ["b stops", "b ends", "a stops", "a ends"])
  }

  @Test func `ignores a second signal during the stop`() async throws {
    var last = service("b")
    last.started = { terminated.yield() }
    last.stopping = { terminated.yield() }
    try await run([service("a"), last])
    #expect(lines == ["b stops", "b ends", "a stops", "a ends"])
  }

  @Test func `cancels the other services if one fails, and throws its error`() async throws {
    var failing = service("b")
    failing.early = { throw Failure(name: "b") }
    await #expect(throws: Failure(name: "b")) { try await run([service("a"), failing, service("c")]) }
    #expect(Set(lines) == ["a is canceled", "a ends", "c is canceled", "c ends"])
  }

  @Test func `cancels the remaining services if one fails during its stop`() async throws {
    var failing = service("b")
    failing.started = { terminated.yield() }
    failing.stopping = { throw Failure(name: "b") }
    await #expect(throws: Failure(name: "b")) { try await run([service("a"), failing]) }
    #expect(lines == ["b stops", "a is canceled", "a ends"])
  }

  @Test func `names a service that ends before it is stopped`() async throws {
    var ending = service("b")
    ending.early = {}
    let error = await #expect(throws: RouterError.self) { try await run([service("a"), ending]) }
    #expect(error?.description == "cannot go on: the service TestService has ended")
    #expect(lines == ["a is canceled", "a ends"])
  }

  @Test func `cancels services that take too long to stop`() async throws {
    var slow = service("b")
    slow.started = { terminated.yield() }
    // Ends only when it is canceled.
    let never = StopSignal()
    slow.stopping = { await never.wait() }
    let error = await #expect(throws: RouterError.self) {
      try await run([service("a"), slow], shutdownTime: .milliseconds(1))
    }
    #expect(error?.description == "cannot stop within shutdownSeconds: requests or connections are still open")
    #expect(Set(lines) == ["b stops", "b ends", "a is canceled", "a ends"])
  }

  @Test func `cancels work when its service is stopped`() async {
    let (stop, never) = (StopSignal(), StopSignal())
    let work = Task { await stop.runUntilSent { await never.wait() } }
    stop.send()
    await work.value
  }
}
