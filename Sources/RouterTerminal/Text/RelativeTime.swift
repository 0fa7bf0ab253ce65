package import RouterCore

extension Timestamp {
  /// The time relative to `now`: `3 s ago`, `2 h ago`, `5 d ago`.
  package func relative(to now: Timestamp) -> String {
    let length = now.duration(since: self).brief
    return self <= now ? "\(length) ago" : "in \(length)"
  }

  package func text(_ style: OutputStyle, now: Timestamp) -> String {
    style.isTerminal ? relative(to: now) : description
  }
}

extension Duration {
  /// The duration in its largest unit, rounded down: `0 s`, `59 s`, `3 min`, `2 h`, `5 d`.
  package var brief: String {
    let seconds = abs(components.seconds)
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min"
    case ..<86_400: return "\(seconds / 3600) h"
    default: return "\(seconds / 86_400) d"
    }
  }
}
