import Dispatch
import Testing

@testable import Router
@testable import RouterTesting

/// The next prompt is shown while the answer to the one before is on its way to the record; what became of that waits for it.
@Suite(.timeLimit(.minutes(20)))
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

  /// A presenter that sees events in the order in which the coordinator tells them.
  private static func presenter(_ coordinator: PresentationCoordinator, _ name: String) -> TestPresenter {
    TestPresenter(coordinator.attach(presenter: name, to: "main"), name: name, isAsTold: true)
  }

  /// Asks for some, and waits until they are on record and the first is shown.
  private func ask(_ titles: String...) async throws -> (first: Presentation, handles: [PresentationHandle]) {
    let handles = titles.map { coordinator.submit(.alert($0)) }
    for handle in handles { _ = try await handle.accepted() }
    return (try await presenter.nextPresentation(), handles)
  }

  /// Waits until something is decided of a presentation, whether or not it is on record.
  private func decided(_ id: PresentationID, _ state: Presentation.State) async {
    while await coordinator.decidedState(of: id) != state { await Task.yield() }
  }

  private func becomeWritable() async {
    while await !coordinator.isWritable {
      clock.advance(by: .seconds(1))
      await Task.yield()
    }
  }

  @Test func `one after the other is answered while nothing comes on record, and nobody has an answer before`() async throws {
    let (first, handles) = try await ask("1", "2", "3")
    let letGo = await log.holdUp()
    async let one = presenter.press("yes", on: first)
    let second = try await presenter.nextPresentation()
    #expect(second.request.title == "2" && second.generation == 1 && second.state == .presented)
    async let two = presenter.press("no", on: second)
    let third = try await presenter.nextPresentation()
    #expect(third.request.title == "3")
    // Queries say what is on record.
    #expect(await coordinator.presentations().map(\.state) == [.presented, .queued, .queued])
    #expect(!handles.contains { $0.presentation?.outcome != nil })
    letGo.signal()
    #expect(try await [one.outcome, two.outcome] == [.answered(.button("yes")), .answered(.button("no"))])
    #expect(try await handles[1].resolved().outcome == .answered(.button("no")))
    try await presenter.press("yes", on: third)
    _ = try await handles[2].resolved()
    #expect(presenter.shown.map { $0.request.title } == ["1", "2", "3"])
    // The record has it in the order in which it was.
    let kinds = try await AuditReader(log).events(after: 0).filter { $0.presentation == second.id }.map(\.kind)
    #expect(kinds.filter { $0 != .delivered } == [.requested, .presented, .answered])
    #expect(try await AuditReader(log).verify().fault == nil)
  }

  @Test func `every presenter is shown what comes next, and hears of the answer when it is on record`() async throws {
    let other = Self.presenter(coordinator, "other")
    #expect(try await other.next() == .queue(waiting: 0))
    let (first, handles) = try await ask("1", "2")
    #expect(try await other.nextPresentation().id == first.id)
    let letGo = await log.holdUp()
    async let answered = presenter.press("yes", on: first)
    let second = try await other.nextPresentation()
    #expect(second.request.title == "2")
    letGo.signal()
    _ = try await (answered, handles[0].resolved())
    #expect(try await other.nextWithdrawal() == (first.id, .answered))
    #expect(try await presenter.nextPresentation().id == second.id)
    #expect(try await presenter.nextWithdrawal() == (first.id, .answered))
  }

  @Test func `nothing is shown before its request is on record`() async throws {
    let (first, handles) = try await ask("1")
    let letGo = await log.holdUp()
    let late = coordinator.submit(.alert("2"))
    async let answered = presenter.press("yes", on: first)
    await decided(first.id, .resolved)
    #expect(await coordinator.screens.current(on: "main")?.id == first.id)
    letGo.signal()
    _ = try await (answered, handles[0].resolved(), late.accepted())
    #expect(try await presenter.nextPresentation().request.title == "2")
    #expect(presenter.shown.map { $0.request.title } == ["1", "2"])
  }

  @Test func `a presenter that comes meanwhile is shown what there is on record, and then what comes next`() async throws {
    let (first, handles) = try await ask("1", "2")
    let letGo = await log.holdUp()
    async let one = presenter.press("yes", on: first)
    let second = try await presenter.nextPresentation()
    let late = Self.presenter(coordinator, "late")
    while await coordinator.screens.arriving.isEmpty { await Task.yield() }
    letGo.signal()
    _ = try await one
    #expect(try await late.nextPresentation().id == second.id)
    try await presenter.press("no", on: second)
    _ = try await handles[1].resolved()
    #expect(late.shown.map(\.id) == [second.id])
    #expect(presenter.shown.map(\.id) == [first.id, second.id])
  }

  @Test func `where the answers cannot be recorded the first is before the person again, and none of them counts`() async throws
  {
    let (first, handles) = try await ask("1", "2", "3")
    let letGo = await log.holdUp(fails: true)
    async let one = #expect(throws: RouterError.self) { try await presenter.press("yes", on: first) }
    let second = try await presenter.nextPresentation()
    async let two = #expect(throws: RouterError.self) { try await presenter.press("yes", on: second) }
    let third = try await presenter.nextPresentation()
    letGo.signal()
    #expect(await one?.code == .logUnavailable)
    #expect(await two?.code == .logUnavailable)
    #expect(try await presenter.nextWithdrawal() == (third.id, .covered))
    let back = try await presenter.nextPresentation()
    #expect(back.id == first.id && back.generation == first.generation)
    #expect(await coordinator.presentations().map(\.state) == [.presented, .queued, .queued])
    try log.execute("PRAGMA query_only = OFF")
    await becomeWritable()
    try await presenter.press("no", on: back)
    #expect(try await handles[0].resolved().outcome == .answered(.button("no")))
    #expect(try await presenter.nextPresentation().id == second.id)
  }

  @Test func `a presenter hears what became of its answer before it is given what comes next`() async throws {
    presenter.vanish()
    while await !coordinator.screens.presenters.isEmpty { await Task.yield() }
    let (calls, call) = AsyncStream<String>.makeStream()
    let noting = Noting(call: call)
    let person = Task { [coordinator] in try await coordinator.run(noting) }
    var said = calls.makeAsyncIterator()
    let handles = ["1", "2"].map { coordinator.submit(.alert($0)) }
    for handle in handles { _ = try await handle.accepted() }
    #expect(await said.next() == "present 1")
    let letGo = await log.holdUp(fails: true)
    noting.answer("yes")
    while await coordinator.screens.current(on: "main")?.id == handles[0].presentation?.id { await Task.yield() }
    letGo.signal()
    #expect(await said.next() == "refused 1: logUnavailable")
    #expect(await said.next() == "present 1")
    try log.execute("PRAGMA query_only = OFF")
    await becomeWritable()
    noting.answer("no")
    #expect(try await handles[0].resolved().outcome == .answered(.button("no")))
    #expect(await said.next() == "withdraw 1: answered")
    #expect(await said.next() == "present 2")
    person.cancel()
    _ = await person.result
  }

  @Test func `a presenter that is to go away does not wait for a broker that says nothing to its answer`() async throws {
    let (first, _) = try await ask("1")
    let (events, tell) = AsyncThrowingStream<PresenterEvent, any Error>.makeStream()
    let (calls, call) = AsyncStream<String>.makeStream()
    let noting = Noting(call: call)
    let person = Task { try await SilentBroker(events: events, call: call).run(noting) }
    var said = calls.makeAsyncIterator()
    tell.yield(.present(first, waiting: 0))
    #expect(await said.next() == "present 1")
    noting.answer("yes")
    #expect(await said.next() == "respond")
    tell.yield(.withdraw(first.id, generation: first.generation, reason: .answered))
    // By then it waits, or is about to.
    for _ in 0..<200 { await Task.yield() }
    person.cancel()
    _ = await person.result
    call.finish()
    let next = await said.next()
    #expect(next == nil || next == "withdraw 1: answered")
  }
}

/// A broker that never says what became of an answer.
private struct SilentBroker: PresentationBroker {
  let events: AsyncThrowingStream<PresenterEvent, any Error>
  let call: AsyncStream<String>.Continuation

  func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    PresentationHandle(takeBack: {})
  }

  func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    PresenterAttachment(
      events: events,
      respond: { [call] _, _, _ in
        call.yield("respond")
        // Ends when it is cancelled.
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
      }, fail: { _, _, _ in throw CancellationError() })
  }
}

/// A presenter that says how it is called, and answers as it is told.
private final class Noting: Presenter {
  let name = "noting"
  private let call: AsyncStream<String>.Continuation
  private let showing = Mutex<AsyncStream<String>.Continuation?>(nil)

  init(call: AsyncStream<String>.Continuation) { self.call = call }

  /// Presses a button of what is shown.
  func answer(_ button: String) { showing.withLock { _ = $0?.yield(button) } }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    let (answers, answer) = AsyncStream<String>.makeStream()
    showing.withLock { $0 = answer }
    call.yield("present \(presentation.request.title ?? "")")
    for await answer in answers { return .answer(.button(answer)) }
    throw CancellationError()
  }

  func willWithdraw(_ presentation: Presentation, because reason: PresenterEvent.Withdrawal) async {
    call.yield("withdraw \(presentation.request.title ?? ""): \(reason)")
  }

  func answerRefused(_ error: RouterError, for presentation: Presentation) async {
    call.yield("refused \(presentation.request.title ?? ""): \(error.code)")
  }
}
