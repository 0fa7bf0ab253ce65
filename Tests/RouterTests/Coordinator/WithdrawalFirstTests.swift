import Router
import TestSupport
import Testing

/// Event order for presenters that show one prompt at a time.
struct WithdrawalFirstTests {
  private let first = Presentation(
    id: PresentationID(number: 1), generation: 1,
    requester: Presentation.Requester(app: "tests", process: .current), request: .alert("first"),
    requestedAt: Timestamp(milliseconds: 0))
  private let second = Presentation(
    id: PresentationID(number: 2), generation: 1,
    requester: Presentation.Requester(app: "tests", process: .current), request: .alert("second"),
    requestedAt: Timestamp(milliseconds: 0))

  private func ordered(_ events: [PresenterEvent]) -> [PresenterEvent] {
    var order = WithdrawalFirst()
    return events.flatMap { order.take($0) }
  }

  private func withdraw(_ presentation: Presentation, _ reason: Presentation.Withdrawal) -> PresenterEvent {
    .withdraw(presentation.id, generation: presentation.generation, reason: reason)
  }

  @Test func `holds a prompt until the one it replaces is withdrawn`() {
    let (one, two): (PresenterEvent, PresenterEvent) = (.present(first, waiting: 1), .present(second, waiting: 0))
    let answered = withdraw(first, .answered)
    #expect(ordered([one, two]) == [one])
    #expect(ordered([one, two, answered]) == [one, answered, two])
    #expect(ordered([one, answered, two]) == [one, answered, two])
  }

  @Test func `never shows a prompt that is withdrawn before its turn`() {
    let (one, two): (PresenterEvent, PresenterEvent) = (.present(first, waiting: 1), .present(second, waiting: 0))
    #expect(ordered([one, two, withdraw(second, .covered), one]) == [one])
    #expect(ordered([one, two, one, withdraw(first, .answered)]) == [one, withdraw(first, .answered)])
  }

  @Test func `withdraws the current prompt when the broker is lost, and drops the pending one`() {
    let (one, two): (PresenterEvent, PresenterEvent) = (.present(first, waiting: 1), .present(second, waiting: 0))
    let lost = withdraw(second, .disconnected)
    #expect(ordered([one, two, lost, two]) == [one, withdraw(first, .disconnected), two])
  }
}
