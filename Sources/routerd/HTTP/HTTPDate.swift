import Glibc
import Router

enum HTTPDate {
  /// The last formatted second.
  private static let last = Mutex((second: time_t(0), text: ""))

  /// The current time, such as `Sat, 21 Nov 2026 07:00:00 GMT`.
  static var now: String {
    let second = time(nil)
    return last.withLock { last in
      if last.second != second { last = (second, text(of: second)) }
      return last.text
    }
  }

  private static func text(of second: time_t) -> String {
    var moment = second
    var parts = tm()
    gmtime_r(&moment, &parts)
    return String(unsafeUninitializedCapacity: 40) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress!, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts) }
    }
  }
}
