import Dispatch
import Router
import TestSupport
import Testing

/// The event-loop turn that proves liveness to the watchdog.
@Suite(.timeLimit(.minutes(10)))
struct TurnTests {
  @Test func `completes a turn after the work queued before it on the log's thread`() async throws {
    let directory = try TemporaryDirectory()
    let log = try AuditLog(path: directory.file("routerd.db"))
    let coordinator = try await PresentationCoordinator(log: log, app: "tests")
    let order = Mutex<[String]>([])
    let (isHeld, hold) = AsyncStream<Void>.makeStream()
    let letGo = DispatchSemaphore(value: 0)
    log.afterCommits {
      hold.finish()
      letGo.wait()
      order.withLock { $0.append("held up") }
    }
    for await _ in isHeld {}
    async let turned: Void = {
      await coordinator.roundTrip()
      order.withLock { $0.append("turned") }
    }()
    letGo.signal()
    await turned
    #expect(order.withLock(\.self) == ["held up", "turned"])
  }

  @Test func `completes a turn while the log cannot be written and after shutdown`() async throws {
    let directory = try TemporaryDirectory()
    let log = try AuditLog(path: directory.file("routerd.db"))
    let coordinator = try await PresentationCoordinator(log: log, app: "tests")
    try log.execute("PRAGMA query_only = ON")
    _ = try? await coordinator.submit(.alert("?")).accepted()
    #expect(await !coordinator.isWritable)
    await coordinator.roundTrip()
    await coordinator.shutDown()
    await coordinator.roundTrip()
  }

  @Test func `records a denied action with its presentation`() async throws {
    let log = try AuditLog.inMemory()
    let coordinator = try await PresentationCoordinator(log: log, app: "tests")
    let presentation = try await coordinator.submit(.alert("?")).accepted()
    let otherUser = ProcessIdentity(uid: 7, gid: 8, pid: 9)
    coordinator.deny(otherUser, what: "POST /x", because: "the role present", on: presentation.id, unrecorded: 3)
    await coordinator.roundTrip()
    let denied = try await AuditReader(log).events(of: presentation.id).last
    #expect(denied?.kind == .accessDenied)
    #expect(denied?.detail["by"]?["uid"] == 7)
    #expect(denied?.detail["what"] == "POST /x")
    #expect(denied?.detail["reason"] == "the role present")
    #expect(denied?.detail["unrecorded"] == 3)
    await coordinator.shutDown()
  }
}
