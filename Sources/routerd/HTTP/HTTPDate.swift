import Glibc

enum HTTPDate {
  /// The current time, such as `Sat, 21 Nov 2026 07:00:00 GMT`.
  static var now: String {
    var moment = time(nil)
    var parts = tm()
    gmtime_r(&moment, &parts)
    return String(unsafeUninitializedCapacity: 40) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress!, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts) }
    }
  }
}
