import Router
import RouterCommandLine

/// A destination for forwarded events.
protocol ForwardTarget: AnyObject, Sendable, CustomStringConvertible {
  /// Sends events in order. Calls `acknowledge` with the last durably stored event before it returns or throws.
  ///
  /// - Parameter head: The last event acknowledged before.
  /// - Throws: ``TargetFailure`` if the target does not accept all events; any error of `acknowledge`.
  func send(
    _ events: ArraySlice<ChainedEvent>, after head: AuditHead, acknowledge: @Sendable (AuditHead) async throws -> Void
  ) async throws
}

extension ForwardFormat {
  /// Returns the formats of a target given as an argument, the default first, and its initializer; `nil` if there is no such
  /// target.
  static func target(_ argument: String) -> (formats: [ForwardFormat], make: (ForwardEncoder) -> any ForwardTarget)? {
    let parts = argument.split(at: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    let place = parts[1]
    let lines: [ForwardFormat] = [.json, .rfc5424, .otlp]
    switch parts[0] {
    case "file": return (lines, { FileTarget(path: place, encoder: $0) })
    case "exec": return (lines, { CommandTarget(command: place, encoder: $0) })
    case "unix": return ([.rfc5424], { SyslogSocketTarget(path: place, encoder: $0) })
    case "tcp":
      guard let colon = place.lastIndex(of: ":"), let port = UInt16(place[place.index(after: colon)...]), port > 0,
        colon != place.startIndex
      else { return nil }
      let host = place[..<colon].trimmingPrefix("[")
      let name = String(host.ends(with: "]") ? host.dropLast() : host)
      return ([.rfc5424], { SyslogTCPTarget(host: name, port: port, encoder: $0) })
    case "otlp":
      guard let address = HTTPAddress(place) else { return nil }
      return ([.otlp], { OTLPTarget(address: address.appending("/v1/logs"), encoder: $0) })
    default: return nil
    }
  }
}

/// Appends a line for each event to a file.
final class FileTarget: ForwardTarget {
  private let file: AppendedFile
  private let encoder: ForwardEncoder

  init(path: String, encoder: ForwardEncoder) {
    file = AppendedFile(path: path, mode: 0o600)
    self.encoder = encoder
  }

  var description: String { "file:\(file.path)" }

  func send(
    _ events: ArraySlice<ChainedEvent>, after head: AuditHead, acknowledge: @Sendable (AuditHead) async throws -> Void
  ) async throws {
    guard let last = events.last else { return }
    // Every format has the event's hash in hexadecimal.
    let mark = head.seq > 0 ? Array(head.hash.hexadecimal.utf8) : nil
    let lines = encoder.lines(events)
    try await blockingWork { [file] in Result { () throws(TargetFailure) in try file.append(lines, after: mark) } }.get()
    try await acknowledge(last.head)
  }
}

/// Passes each batch to a shell command, one line per event. A line `ok SEQ` in its output acknowledges the events up to that
/// number; exit status 0 acknowledges all.
final class CommandTarget: ForwardTarget {
  private let command: String
  private let encoder: ForwardEncoder

  init(command: String, encoder: ForwardEncoder) { (self.command, self.encoder) = (command, encoder) }

  var description: String { "exec:\(command)" }

  func send(
    _ events: ArraySlice<ChainedEvent>, after head: AuditHead, acknowledge: @Sendable (AuditHead) async throws -> Void
  ) async throws {
    guard let last = events.last else { return }
    let result = try await ShellCommand(command: command).run(input: encoder.lines(events))
    if result.status == 0 { return try await acknowledge(last.head) }
    let confirmed = String(decoding: result.output, as: UTF8.self).lines.compactMap { line in
      line.begins(with: "ok ") ? Int64(line.dropFirst(3)) : nil
    }.max()
    if let confirmed, let event = events.last(where: { $0.head.seq <= confirmed }) { try await acknowledge(event.head) }
    throw TargetFailure(result)
  }
}

/// Posts events to a collector (OTLP/HTTP with JSON).
final class OTLPTarget: ForwardTarget {
  private let address: HTTPAddress
  private let encoder: ForwardEncoder

  init(address: HTTPAddress, encoder: ForwardEncoder) { (self.address, self.encoder) = (address, encoder) }

  var description: String { "otlp:http://\(address.authority)\(address.path)" }

  func send(
    _ events: ArraySlice<ChainedEvent>, after head: AuditHead, acknowledge: @Sendable (AuditHead) async throws -> Void
  ) async throws {
    guard let last = events.last else { return }
    let body = Array(encoder.otlp(events).description.utf8)
    let reply = await blockingWork { [address] in Result { try address.post(body, type: "application/json") } }
    let partial = try? JSONValue(parsing: try reply.get())["partialSuccess"]
    // 64-bit integers are strings in this JSON, but some collectors send numbers.
    let rejected = partial?["rejectedLogRecords"].map { $0.string ?? $0.description } ?? "0"
    _ = try reply.get()
    guard rejected == "0" else {
      throw TargetFailure("it rejected \(rejected) events: \(partial?["errorMessage"]?.string ?? "without a reason")")
    }
    try await acknowledge(last.head)
  }
}
