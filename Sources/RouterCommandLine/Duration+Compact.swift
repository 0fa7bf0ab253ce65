import Router

extension Duration {
  /// The duration in its two largest units, without spaces: `0.3s`, `42s`, `3m05s`, `2h13m`, `4d07h`.
  package var compact: String {
    let milliseconds = max(0, self.milliseconds)
    let seconds = milliseconds / 1000
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return switch seconds {
    case ..<10: "\(seconds).\(milliseconds % 1000 / 100)s"
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m\(two(seconds % 60))s"
    case ..<86_400: "\(seconds / 3600)h\(two(seconds % 3600 / 60))m"
    default: "\(seconds / 86_400)d\(two(seconds % 86_400 / 3600))h"
    }
  }
}
