import NIOHTTP1
import Router

/// The supported preferences of a `Prefer` header (RFC 7240).
struct Prefer: Sendable, Hashable {
  /// `respond-async`, or `wait=0`.
  var isAsync = false
  /// `wait=N`, greater than 0.
  var wait: Duration?

  /// Parses a request's preferences. Ignores unknown ones, as RFC 7240, section 2 requires.
  ///
  /// - Throws: ``RouterError`` for a `wait` that is not a number of seconds.
  init(_ request: Request) throws {
    for preference in request.headers["prefer"].flatMap({ $0.split(at: ",") }) {
      // Parameters after a semicolon are ignored.
      let words = preference.cut(at: ";")?.before ?? preference
      let parts = words.split(at: "=", maxSplits: 1).map { $0.trimmingWhiteSpace }
      switch parts.first?.lowercased() {
      case "respond-async": isAsync = true
      case "wait" where wait == nil:
        guard parts.count == 2, let seconds = Int(parts[1]), (0...315_360_000).contains(seconds) else {
          throw RouterError(.invalid, "cannot read the header Prefer: wait takes a whole number of seconds, 0 or more")
        }
        if seconds == 0 { isAsync = true } else { wait = .seconds(seconds) }
      default: break
      }
    }
  }
}
