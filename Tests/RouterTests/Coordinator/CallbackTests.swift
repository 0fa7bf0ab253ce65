import Router
import RouterTesting
import TestSupport
import Testing

/// Delivery of dismiss callbacks to programs, and its entries in the log.
/// Promise P8.
@Suite(.timeLimit(.minutes(10)))
struct CallbackTests {
  let directory: TemporaryDirectory
  let clock = ManualClock()
  let sender = ScriptedSender()
  let requester = Presentation.Requester(app: "deploy", process: ProcessIdentity(uid: 1000, gid: 1000, pid: 4242))

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func coordinator(on log: AuditLog) async throws -> PresentationCoordinator {
    try await PresentationCoordinator(
      log: log, clock: clock.clock, callbackSender: sender, callbacks: CallbackSchedule.Rule(tries: 3), app: "tests")
  }

  private func request(_ title: String) throws -> PresentationRequest {
    try PresentationRequest(
      json: ["kind": "alert", "title": .string(title), "onDismiss": ["url": "http+unix://%2Frun%2Fdeploy.sock/ended"]])
  }

  /// Returns the kinds of a presentation's events once its recorded callback state equals `state`.
  private func kinds(
    of id: PresentationID, once state: Presentation.Callback, in log: AuditLog
  ) async throws -> [AuditEvent.Kind] {
    let reader = try AuditReader(log)
    try await log.eventually("the callback's state is recorded") { try await reader.presentation(id)?.callback == state }
    return try await reader.events(of: id).map(\.kind)
  }

  @Test func `calls the program once with the recorded outcome and records the attempt`() async throws {
    let log = try AuditLog(path: directory.file("log.db"))
    let coordinator = try await coordinator(on: log)
    let presenter = TestPresenter(coordinator)
    let asked = try await coordinator.ask(request("?"), from: requester, attached: false).accepted()
    #expect(asked.callback == Presentation.Callback())
    try await presenter.press(id: "ok", on: try await presenter.nextPresentation())
    let call = try await sender.next()
    #expect((call.presentation.id, call.address.target) == (asked.id, "/ended"))
    #expect(call.presentation.outcome == .answered(.button("ok")))
    call.accept()
    let kinds = try await kinds(of: asked.id, once: Presentation.Callback(state: .delivered, attempts: 1), in: log)
    #expect(kinds == [.requested, .presented, .answered, .callbackDelivered])
  }

  @Test func `calls the program on cancellation too`() async throws {
    let coordinator = try await coordinator(on: AuditLog(path: directory.file("log.db")))
    let asked = try await coordinator.ask(request("?"), from: requester, attached: false).accepted()
    _ = try await coordinator.change(asked.id) {
      .change($0, Verbs.Cancel(), by: Presentation.Responder(process: requester.process))
    }
    let call = try await sender.next()
    #expect(call.presentation.outcome == .cancelled(.requester))
    call.accept()
    await coordinator.shutDown()
  }

  @Test func `retries a failed delivery with backoff until the attempts run out`() async throws {
    let log = try AuditLog(path: directory.file("log.db"))
    let coordinator = try await coordinator(on: log)
    let asked = try await coordinator.ask(request("?"), from: requester, attached: false).accepted()
    _ = try await coordinator.change(asked.id) {
      .change($0, Verbs.Cancel(), by: Presentation.Responder(process: requester.process))
    }
    for attempt in 1...3 {
      try await sender.next().fail("not now")
      // The only sleeper is the coordinator's retry delay.
      if attempt < 3 { try await clock.untilSleeping() }
      clock.advance(by: .seconds(attempt))
    }
    let state = Presentation.Callback(state: .failed, attempts: 3, lastError: "not now")
    #expect(
      try await kinds(of: asked.id, once: state, in: log)
        == [.requested, .cancelled, .callbackFailed, .callbackFailed, .callbackFailed])
  }

  @Test func `resumes undelivered callbacks after a crash, and after a shutdown during an attempt`() async throws {
    let database = directory.file("log.db")
    let first = try await coordinator(on: AuditLog(path: database))
    let asked = try await first.ask(request("?"), from: requester, attached: false).accepted()
    let by = Presentation.Responder(process: requester.process)
    _ = try await first.change(asked.id) { .change($0, Verbs.Cancel(), by: by) }
    // The attempt is in progress at the crash.
    _ = try await sender.next()

    let second = try await coordinator(on: AuditLog(path: directory.crashImage(of: database, as: "second.db")))
    _ = try await sender.next()
    await second.shutDown()

    let last = try AuditLog(path: directory.crashImage(of: directory.file("second.db"), as: "third.db"))
    let third = try await coordinator(on: last)
    let call = try await sender.next()
    #expect(call.presentation.id == asked.id)
    call.accept()
    let kinds = try await kinds(of: asked.id, once: Presentation.Callback(state: .delivered, attempts: 1), in: last)
    #expect(kinds == [.requested, .cancelled, .callbackDelivered])
    await third.shutDown()
  }

  @Test func `rejects a callback request if no sender is configured, and names the field`() async throws {
    let coordinator = try await PresentationCoordinator(log: AuditLog.inMemory(), clock: clock.clock)
    let request = try request("?")
    let error = await #expect(throws: RouterError.self) { try await coordinator.submit(request).resolved() }
    #expect((error?.code, error?.field) == (.impossible, "/onDismiss"))
  }
}

/// A sender whose attempts a test receives one by one, and accepts or fails.
final class ScriptedSender: CallbackSender {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Call: Sendable {
    let presentation: Presentation
    let address: PresentationRequest.CallbackAddress
    fileprivate let result: AsyncStream<Failure?>.Continuation

    func accept() { result.yield(nil) }
    func fail(_ why: String) { result.yield(Failure(description: why)) }
  }

  private let calls: AsyncStream<Call>
  private let calling: AsyncStream<Call>.Continuation

  init() {
    (calls, calling) = AsyncStream.makeStream()
  }

  func send(_ presentation: Presentation, to address: PresentationRequest.CallbackAddress) async throws {
    let (results, continuation) = AsyncStream<Failure?>.makeStream()
    calling.yield(Call(presentation: presentation, address: address, result: continuation))
    for await result in results {
      if let result { throw result }
      return
    }
    throw CancellationError()
  }

  /// Waits for the next attempt.
  func next() async throws -> Call {
    for await call in calls { return call }
    throw CancellationError()
  }
}
