import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterCore

struct ScreensTests {
  private final class Told: Sendable {
    /// The generations that presenters were told to show, as `PRESENTER:GENERATION`.
    let all = Mutex<[String]>([])
  }

  private let told = Told()

  private func seat(_ number: Int) -> PresenterSeat {
    PresenterSeat(
      id: PresenterID(number), surface: "main", identity: PresenterIdentity(number),
      tell: { [told] event in
        if case .present(let presentation, _) = event {
          told.all.withLock { $0.append("\(number):\(presentation.generation)") }
        }
      }, end: { _ in })
  }

  /// As when one of two people has approved it, which is not on record yet.
  @Test func `tells a presenter that attaches while a prompt is shown again once`() {
    var screens = Screens()
    let now = Moment(boot: .zero, wall: Timestamp(milliseconds: 0))
    var presentation = Presentation(
      id: PresentationID(number: 1), requester: Presentation.Requester(app: "a", process: .current),
      request: PresentationRequest(kind: .alert, title: "Deploy?"), requestedAt: now.wall)
    for number in 1...2 {
      presentation.generation = number
      screens.arrive(seat(number))
      screens.attached(PresenterID(number), shown: presentation, waiting: 0, at: now)
      screens.show(presentation, waiting: 0, at: now)
    }
    #expect(told.all.withLock(\.self) == ["1:1", "1:2", "2:2"])
  }
}
