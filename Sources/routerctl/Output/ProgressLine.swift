import Router
import RouterCommandLine

/// A progress bar on standard error for work that takes longer than a second; does nothing if that is not a terminal.
final class ProgressLine: Sendable {
  private struct State {
    var lastDrawn: ContinuousClock.Instant?
    var isOver = false
  }

  private let label: String
  private let started = ContinuousClock.now
  private let style: OutputStyle
  private let write: @Sendable (String) -> Void
  private let state = Mutex(State())

  init(
    _ label: String, style: OutputStyle = StandardStream.error.style,
    write: @escaping @Sendable (String) -> Void = StandardStream.error.text
  ) {
    self.label = label
    self.style = style
    self.write = write
  }

  /// Draws the completed share, from 0 to 1, at most a few times a second.
  func update(_ share: Double) {
    guard style.isTerminal else { return }
    let now = ContinuousClock.now
    let passed = now - started
    guard passed >= .seconds(1) else { return }
    let text = state.withLock { state -> String? in
      guard !state.isOver, state.lastDrawn.map({ now - $0 >= .milliseconds(100) }) ?? true else { return nil }
      state.lastDrawn = now
      return bar(share, passed: passed)
    }
    if let text { write("\r" + text + "\u{1B}[K") }
  }

  func finish() {
    let wasDrawn = state.withLock { state in
      defer { state.isOver = true }
      return state.lastDrawn != nil && !state.isOver
    }
    if wasDrawn { write("\r\u{1B}[K") }
  }

  func bar(_ share: Double, passed: Duration) -> String {
    let share = min(1, max(0, share))
    let percent = String(Int(share * 100)).padded(to: 3, atStart: true)
    let left = share > 0.01 ? ", " + (passed * (1 / share - 1)).compact + " left" : ""
    let end = " \(percent) %\(left)"
    let columns = max(10, min(40, style.width - label.columns - 1 - 20))
    return "\(label) \(Bar.text(share, columns: columns, track: "░"))\(end)"
  }
}
