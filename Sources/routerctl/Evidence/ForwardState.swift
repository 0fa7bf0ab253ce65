import Router
import RouterCommandLine

/// The last event that a target has acknowledged, in a file: where forwarding continues, and what the log must still have there.
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

  /// Moves on, once an event is acknowledged.
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
