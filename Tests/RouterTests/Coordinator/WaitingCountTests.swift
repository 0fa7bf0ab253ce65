import Router
import TestSupport
import Testing

/// The length of the queue that a presenter is given with a prompt.
struct WaitingCountTests {
  /// Answers at once, and notes the counts.
  private final class Counting: Presenter {
    let name = "counting"
    let counts = Mutex<[Int]>([])
    let changed: AsyncStream<Int>.Continuation

    init(changed: AsyncStream<Int>.Continuation) { self.changed = changed }

    func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
      counts.withLock { $0.append(waiting) }
      return .dismiss
    }

    func waitingCountChanged(to waiting: Int) async { changed.yield(waiting) }
  }

  @Test(.timeLimit(.minutes(10))) func `is the newest one when a refused prompt is shown again`() async throws {
    let (changes, changed) = AsyncStream<Int>.makeStream()
    let presenter = Counting(changed: changed)
    let presentation = Presentation(
      id: PresentationID(number: 1), state: .presented, generation: 1,
      requester: Presentation.Requester(app: "tests", process: .current), request: .alert("?"),
      requestedAt: Timestamp(milliseconds: 0))
    let (events, event) = AsyncThrowingStream<PresenterEvent, any Error>.makeStream()
    let attachment = PresenterAttachment(
      events: events,
      respond: { _, _, _ in
        guard presenter.counts.withLock(\.count) == 1 else {
          event.finish()
          return presentation
        }
        event.yield(.queue(waiting: 5))
        for await _ in changes { break }
        throw RouterError(.impossible, "no")
      }, fail: { _, _, _ in throw CancellationError() })
    event.yield(.present(presentation, waiting: 1))
    try await PresentationCoordinator(log: .inMemory()).run(presenter, over: attachment)
    #expect(presenter.counts.withLock(\.self) == [1, 5])
  }
}
