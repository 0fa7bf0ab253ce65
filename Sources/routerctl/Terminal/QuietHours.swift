import ArgumentParser
import Router

/// A part of the day in which a presenter shows only urgent prompts.
struct QuietHours: ExpressibleByArgument, Sendable, Hashable {
  let span: DayTime.Span

  init?(argument: String) {
    guard let span = DayTime.Span(argument) else { return nil }
    self.span = span
  }

  /// Runs `present`, which is canceled and called again whenever the quiet hours begin or end.
  ///
  /// - Parameters:
  ///   - clock: Looked at every 20 seconds, so that a changed wall clock counts too.
  ///   - present: Shows prompts until it is canceled. `isQuiet` is whether the quiet hours are on.
  func run(
    _ clock: PresentationClock, _ present: @escaping @Sendable (_ isQuiet: Bool) async throws -> Void
  ) async throws {
    while !Task.isCancelled {
      let isQuiet = contains(clock.wall())
      try await withThrowingTaskGroup { group in
        group.addTask { try await present(isQuiet) }
        group.addTask {
          while contains(clock.wall()) == isQuiet { try await clock.sleep(for: .seconds(20)) }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }

  private func contains(_ time: Timestamp) -> Bool { span.contains(DayTime(time).minute) }
}
