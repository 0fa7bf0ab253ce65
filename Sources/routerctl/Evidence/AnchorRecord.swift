import Router
import RouterCommandLine

/// The last anchor accepted by all targets, in a file beside the database: whether a log is anchored, and the time of the last
/// success. Not evidence itself.
struct AnchorRecord: Sendable {
  let database: String

  private var path: String { database + ".anchored" }

  func save(_ anchor: AuditAnchor) throws {
    do {
      try FileReplacement.write(Array((anchor.line + "\n").utf8), to: path, mode: 0o644)
    } catch {
      throw CommandFailure(
        .defect, "the log was anchored, but \"routerctl doctor\" will not know: cannot write \(path): \(error)")
    }
  }

  /// The maximum age of the last anchor. The timer writes one every hour.
  static let longestAge = Duration.seconds(86_400)

  /// Checks the age of the last anchor.
  func finding(at now: Timestamp) -> Finding {
    switch TextFile(path) {
    case .missing: return .fine("anchors: none; a log that was rewritten as a whole is not found (routerctl log anchor)")
    case .unreadable(let why): return .problem("anchors: cannot read \(path): \(why). Fix: let this user read it")
    case .text(let text):
      guard let anchor = try? AuditAnchor(line: text), let at = anchor.at else {
        return .problem("anchors: \(path) is not a record of one. Fix: routerctl log anchor")
      }
      let last = "the last is of event \(anchor.head.seq), at \(LocalTime.system.text(at))"
      return now.duration(since: at) > Self.longestAge
        ? .problem("anchors: \(last), over a day ago. Fix: routerctl log anchor, or see journalctl -u router-anchor")
        : .fine("anchors: \(last)")
    }
  }
}
