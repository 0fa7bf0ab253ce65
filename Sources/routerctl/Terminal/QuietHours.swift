import ArgumentParser
import Router

/// A part of the day in which a presenter shows only urgent prompts.
struct QuietHours: ExpressibleByArgument, Sendable, Hashable {
  let span: DayTime.Span

  init?(argument: String) {
    guard let span = DayTime.Span(argument) else { return nil }
    self.span = span
  }

  /// Runs `present` until it returns. Cancels and calls it again whenever the quiet hours begin or end.
  ///
  /// - Parameters:
  ///   - clock: The clock, checked every 20 seconds to notice changes of the wall clock.
  ///   - present: Shows prompts until it is canceled. `isQuiet` is true during the quiet hours.
  func run(
    _ clock: PresentationClock, _ present: @escaping @Sendable (_ isQuiet: Bool) async throws -> Void
  ) async throws {
    while !Task.isCancelled {
      let isQuiet = contains(clock.wall())
      let isOver = try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          try await present(isQuiet)
          return true
        }
        group.addTask {
          while contains(clock.wall()) == isQuiet { try await clock.sleep(for: .seconds(20)) }
          return false
        }
        defer { group.cancelAll() }
        return try await group.next() ?? true
      }
      if isOver { return }
    }
  }

  private func contains(_ time: Timestamp) -> Bool { span.contains(DayTime(time).minute) }
}
