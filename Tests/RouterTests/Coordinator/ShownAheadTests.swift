import Dispatch
import TestSupport
import Testing

@testable import Router
@testable import RouterTesting

/// The next prompt is shown before the previous answer is committed; outcomes are reported after the commit.
@Suite(.timeLimit(.minutes(10)))
struct ShownAheadTests {
  let directory: TemporaryDirectory
  let log: AuditLog
  let clock = ManualClock()
  let coordinator: PresentationCoordinator
  let presenter: TestPresenter

  init() async throws {
    directory = try TemporaryDirectory()
    log = try AuditLog(path: directory.file("log.db"))
    coordinator = try await PresentationCoordinator(log: log, clock: clock.clock, app: "tests")
    presenter = Self.presenter(coordinator, "test")
  }

  /// A presenter that receives events in the coordinator's order.
  private static func presenter(_ coordinator: PresentationCoordinator, _ name: String) -> TestPresenter {
    TestPresenter(coordinator.attach(presenter: name, to: "main"), name: name, isAsTold: true)
  }

  /// Submits alerts, and waits until they are committed and the first is shown.
  private func ask(_ titles: String...) async throws -> (first: Presentation, handles: [PresentationHandle]) {
    let handles = titles.map { coordinator.submit(.alert($0)) }
    for handle in handles { _ = try await handle.accepted() }
    return (try await presenter.nextPresentation(), handles)
  }

  /// Lets the disk work, and waits until a retry finds that out.
  private func becomeWritable() async throws {
    try log.execute("PRAGMA query_only = OFF")
    clock.advance(by: .seconds(1))
    try await log.eventually("the log is written again") { await coordinator.isWritable }
  }

  @Test func `accepts answers one after the other before any commit, and reports none of them earlier`() async throws {
    let (first, handles) = try await ask("1", "2", "3")
    let letGo = await log.holdUp()
    async let one = presenter.press(id: "yes", on: first)
    let second = try await presenter.nextPresentation()
    #expect(second.request.title == "2" && second.generation == 1 && second.state == .presented)
    async let two = presenter.press(id: "no", on: second)
    let third = try await presenter.nextPresentation()
    #expect(third.request.title == "3")
    // Queries return committed state.
    #expect(await coordinator.presentations().map(\.state) == [.presented, .queued, .queued])
    #expect(!handles.contains { $0.presentation?.outcome != nil })
    letGo.signal()
    #expect(try await [one.outcome, two.outcome] == [.answered(.button("yes")), .answered(.button("no"))])
    #expect(try await handles[1].resolved().outcome == .answered(.button("no")))
    try await presenter.press(id: "yes", on: third)
    _ = try await handles[2].resolved()
    #expect(presenter.shown.map { $0.request.title } == ["1", "2", "3"])
    // The log has the events in order.
    let kinds = try await AuditReader(log).events(after: 0).filter { $0.presentation == second.id }.map(\.kind)
    #expect(kinds.filter { $0 != .delivered } == [.requested, .presented, .answered])
    #expect(try await AuditReader(log).verify().fault == nil)
  }

  @Test func `shows the next prompt on every presenter, and withdraws the previous one after the commit`() async throws {
    let other = Self.presenter(coordinator, "other")
    #expect(try await other.nextEvent() == .queue(waiting: 0))
    let (first, handles) = try await ask("1", "2")
    #expect(try await other.nextPresentation().id == first.id)
    let letGo = await log.holdUp()
    async let answered = presenter.press(id: "yes", on: first)
    let second = try await other.nextPresentation()
    #expect(second.request.title == "2")
    letGo.signal()
    _ = try await (answered, handles[0].resolved())
    #expect(try await other.nextWithdrawal() == (first.id, .answered))
    #expect(try await presenter.nextPresentation().id == second.id)
    #expect(try await presenter.nextWithdrawal() == (first.id, .answered))
  }

  @Test func `shows no prompt before its request is committed`() async throws {
    let (first, handles) = try await ask("1")
    // Told within the coordinator's turn.
    let shown = Mutex<[String?]>([])
    _ = try await coordinator.attach("watching", process: .current, on: "main") { event in
      if case .present(let presentation, _) = event { shown.withLock { $0.append(presentation.request.title) } }
    } end: { _ in
    }
    let letGo = await log.holdUp()
    let late = coordinator.submit(.alert("2"))
    let answered = await coordinator.pressing("yes", on: first)
    await coordinator.turn()
    #expect(shown.withLock(\.self) == ["1"])
    letGo.signal()
    _ = try await (answered.value(), handles[0].resolved(), late.accepted())
    #expect(try await presenter.nextPresentation().request.title == "2")
    #expect(presenter.shown.map { $0.request.title } == ["1", "2"])
  }

  @Test func `a presenter that attaches during a commit gets the committed state, then the next prompt`() async throws {
    let (first, handles) = try await ask("1", "2")
    let letGo = await log.holdUp()
    async let one = presenter.press(id: "yes", on: first)
    let second = try await presenter.nextPresentation()
    let late = Self.presenter(coordinator, "late")
    await coordinator.turn()
    letGo.signal()
    _ = try await one
    #expect(try await late.nextPresentation().id == second.id)
    try await presenter.press(id: "no", on: second)
    _ = try await handles[1].resolved()
    #expect(late.shown.map(\.id) == [second.id])
    #expect(presenter.shown.map(\.id) == [first.id, second.id])
  }

  @Test func `restores the first prompt and discards all answers if the commit fails`() async throws {
    let (first, handles) = try await ask("1", "2", "3")
    let letGo = await log.holdUp(fails: true)
    async let one = #expect(throws: RouterError.self) { try await presenter.press(id: "yes", on: first) }
    let second = try await presenter.nextPresentation()
    async let two = #expect(throws: RouterError.self) { try await presenter.press(id: "yes", on: second) }
    let third = try await presenter.nextPresentation()
    letGo.signal()
    #expect(await one?.code == .logUnavailable)
    #expect(await two?.code == .logUnavailable)
    #expect(try await presenter.nextWithdrawal() == (third.id, .covered))
    let back = try await presenter.nextPresentation()
    #expect(back.id == first.id && back.generation == first.generation)
    #expect(await coordinator.presentations().map(\.state) == [.presented, .queued, .queued])
    try await becomeWritable()
    try await presenter.press(id: "no", on: back)
    #expect(try await handles[0].resolved().outcome == .answered(.button("no")))
    #expect(try await presenter.nextPresentation().id == second.id)
  }

  @Test func `reports a presenter's answer as accepted or refused before its next prompt`() async throws {
    let (calls, call) = AsyncStream<String>.makeStream()
    let noting = Noting(call: call)
    let person = Task { [coordinator] in try await coordinator.run(noting) }
    var said = calls.makeAsyncIterator()
    let handles = ["1", "2"].map { coordinator.submit(.alert($0)) }
    for handle in handles { _ = try await handle.accepted() }
    #expect(await said.next() == "present 1")
    let letGo = await log.holdUp(fails: true)
    noting.answer("yes")
    // The other presenter is shown the next prompt at once.
    while try await presenter.nextPresentation().request.title != "2" {}
    letGo.signal()
    #expect(await said.next() == "refused 1: logUnavailable")
    #expect(await said.next() == "present 1")
    try await becomeWritable()
    noting.answer("no")
    #expect(try await handles[0].resolved().outcome == .answered(.button("no")))
    #expect(await said.next() == "withdraw 1: answered")
    #expect(await said.next() == "present 2")
    person.cancel()
    _ = await person.result
  }

  @Test func `canceling a presenter does not wait for a broker that never replies`() async throws {
    let (first, _) = try await ask("1")
    let (events, tell) = AsyncThrowingStream<PresenterEvent, any Error>.makeStream()
    let (calls, call) = AsyncStream<String>.makeStream()
    let noting = Noting(call: call)
    let executor = try ThreadExecutor()
    let person = Task(executorPreference: executor) { try await SilentBroker(events: events, call: call).run(noting) }
    var said = calls.makeAsyncIterator()
    tell.yield(.present(first, waiting: 0))
    #expect(await said.next() == "present 1")
    noting.answer("yes")
    #expect(await said.next() == "respond")
    tell.yield(.withdraw(first.id, generation: first.generation, reason: .answered))
    // The task's own thread takes the withdrawal, and waits for the broker's reply, before this.
    await withCheckedContinuation { continuation in executor.perform { continuation.resume() } }
    person.cancel()
    _ = await person.result
    call.finish()
    let next = await said.next()
    #expect(next == nil || next == "withdraw 1: answered")
  }
}

/// A broker that never replies to an answer.
private struct SilentBroker: PartialBroker {
  let events: AsyncThrowingStream<PresenterEvent, any Error>
  let call: AsyncStream<String>.Continuation

  func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    PresentationHandle(withdraw: {})
  }

  func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    PresenterAttachment(
      events: events,
      respond: { [call] _, _, _ in
        call.yield("respond")
        // Ends on cancellation.
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
      }, fail: { _, _, _ in throw CancellationError() })
  }
}

/// A presenter that reports its calls and gives scripted answers.
private final class Noting: Presenter {
  let name = "noting"
  private let call: AsyncStream<String>.Continuation
  private let showing = Mutex<AsyncStream<String>.Continuation?>(nil)

  init(call: AsyncStream<String>.Continuation) { self.call = call }

  /// Presses a button of the current prompt.
  func answer(_ button: String) { showing.withLock { _ = $0?.yield(button) } }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    let (answers, answer) = AsyncStream<String>.makeStream()
    showing.withLock { $0 = answer }
    call.yield("present \(presentation.request.title ?? "")")
    for await answer in answers { return .answer(.button(answer)) }
    throw CancellationError()
  }

  func willWithdraw(_ presentation: Presentation, because reason: Presentation.Withdrawal) async {
    call.yield("withdraw \(presentation.request.title ?? ""): \(reason)")
  }

  func answerRefused(_ error: RouterError, for presentation: Presentation) async {
    call.yield("refused \(presentation.request.title ?? ""): \(error.code)")
  }
}
