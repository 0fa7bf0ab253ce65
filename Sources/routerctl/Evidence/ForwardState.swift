import Router
import RouterCommandLine

/// The last event acknowledged by a target, stored in a file: the position to continue from, and an event that the log must
/// still contain.
struct ForwardState: Sendable {
  private let path: String
  private(set) var head = AuditHead()

  /// Reads the file; a missing one is the state before the first event.
  init(path: String) throws {
    self.path = path
    do {
      if let text = try TextFile.read(path) { head = try AuditAnchor(line: text).head }
    } catch {
      let why = (error as? CommandFailure)?.message ?? "\(error)"
      throw CommandFailure(.usage, "cannot use \(path) as the state: \(why)")
    }
  }

  /// Advances to an acknowledged event.
  mutating func acknowledge(_ head: AuditHead, at now: Timestamp) throws {
    let json: JSONValue = [
      "seq": .integer(Int(head.seq)), "hash": .string(head.hash.hexadecimal), "at": .string(now.description),
    ]
    do {
      try FileReplacement.write(Array("\(json)\n".utf8), to: path, mode: 0o600)
    } catch {
      throw CommandFailure(.defect, "cannot save the state: cannot write \(path): \(error)")
    }
    self.head = head
  }
}
