import Router
import RouterCommandLine

/// The last event that a target has acknowledged, in a file: where forwarding continues, and what the log must still have there.
struct ForwardState: Sendable {
  private let file: ReplacedFile
  private(set) var head = AuditHead()

  /// Reads the file; a missing one is the state before the first event.
  init(path: String) throws {
    file = ReplacedFile(path: path, mode: 0o600)
    do {
      guard let text = try file.read() else { return }
      head = try AuditAnchor(line: text).head
    } catch {
      throw CommandFailure(.usage, "cannot use \(path) as the state: \(error)")
    }
  }

  /// Moves on, once an event is acknowledged.
  mutating func acknowledge(_ head: AuditHead, at now: Timestamp) throws {
    let json: JSONValue = [
      "seq": .integer(Int(head.seq)), "hash": .string(head.hash.hexadecimal), "at": .string(now.description),
    ]
    do {
      try file.replace(with: json.description + "\n")
    } catch {
      throw CommandFailure(.defect, "cannot save the state: \(error)")
    }
    self.head = head
  }
}
