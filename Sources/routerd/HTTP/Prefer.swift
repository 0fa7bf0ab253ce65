import HTTPTypes
import Hummingbird
import Router

/// The `Prefer` header (RFC 7240), as far as http-api knows it.
struct Prefer: Sendable, Hashable {
  /// `respond-async`, or `wait=0`.
  var isAsync = false
  /// `wait=N`, more than 0.
  var wait: Duration?

  /// Reads a request's preferences.
  ///
  /// - Throws: ``RouterError`` for a `wait` that is no number of seconds; other preferences are passed over, as RFC 7240,
  ///   section 2 wants it.
  init(_ request: Request) throws {
    let fields = request.headers[values: .prefer].flatMap { $0.split(separator: ",") }
    for preference in fields {
      // A preference may have parameters after a semicolon; none of ours has any.
      let words = preference.prefix { $0 != ";" }
      let parts = words.split(separator: "=", maxSplits: 1).map { $0.trimmingWhiteSpace }
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

extension HTTPField.Name {
  static let prefer = HTTPField.Name("Prefer")!
  static let preferenceApplied = HTTPField.Name("Preference-Applied")!
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}
