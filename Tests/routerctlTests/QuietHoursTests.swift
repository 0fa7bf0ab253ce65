import Router
import RouterTesting
import Testing

@testable import routerctl

/// `present --quiet`.
@Suite(.timeLimit(.minutes(10)))
struct QuietHoursTests {
  @Test func `presents again when the quiet hours begin and end`() async throws {
    let clock = ManualClock()
    let minute = DayTime(clock.clock.wall()).minute
    let times = [1, 2].map { later in
      let time = (minute + later) % 1440
      return [time / 60, time % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
    let quiet = try #require(QuietHours(argument: times.joined(separator: "-")))
    let (begun, begin) = AsyncStream<Bool>.makeStream()
    let presenting = Task {
      try await quiet.run(clock.clock) { isQuiet in
        begin.yield(isQuiet)
        // Until it is canceled.
        let (never, end) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        end.finish()
      }
    }
    var states = begun.makeAsyncIterator()
    #expect(await states.next() == false)
    for isQuiet in [true, false] {
      for _ in 0..<3 {
        try await clock.untilSleeping()
        clock.advance(by: .seconds(20))
      }
      #expect(await states.next() == isQuiet)
    }
    presenting.cancel()
    _ = await presenting.result
  }

  @Test(arguments: ["22:00", "22:00-22:00", "25:00-07:00", "", "7-9"]) func `refuses anything but a part of a day`(text: String)
  {
    #expect(QuietHours(argument: text) == nil)
  }
}
