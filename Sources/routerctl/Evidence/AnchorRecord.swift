import Router
import RouterCommandLine

/// The last anchor that all targets took, in a file beside the database: whether a log is anchored, and since when it is not.
/// It proves nothing.
struct AnchorRecord: Sendable {
  let database: String

  private var file: ReplacedFile { ReplacedFile(path: database + ".anchored", mode: 0o644) }

  func save(_ anchor: AuditAnchor) throws {
    do {
      try file.replace(with: anchor.line + "\n")
    } catch {
      throw CommandFailure(.defect, "the log was anchored, but \"routerctl doctor\" will not know: \(error)")
    }
  }

  /// How old the last anchor may be. The timer makes one every hour.
  static let longestAge = Duration.seconds(86_400)

  /// Checks the age of the last anchor.
  func finding(at now: Timestamp) -> Finding {
    do {
      guard let text = try file.read() else {
        return .fine("anchors: none; a log that was rewritten as a whole is not found (routerctl log anchor)")
      }
      guard let anchor = try? AuditAnchor(line: text), let at = anchor.at else {
        return .problem("anchors: \(file.path) is not a record of one. Fix: routerctl log anchor")
      }
      let last = "the last is of event \(anchor.head.seq), at \(LocalTime.system.text(at))"
      return now.duration(since: at) > Self.longestAge
        ? .problem("anchors: \(last), over a day ago. Fix: routerctl log anchor, or see journalctl -u router-anchor")
        : .fine("anchors: \(last)")
    } catch {
      return .problem("anchors: \(error). Fix: let this user read it")
    }
  }
}
