/// One event of a `text/event-stream` (WHATWG HTML, section 9.2).
package struct ServerSentEvent: Sendable, Hashable {
  package var name: String
  package var data: JSONValue
  package var id: String?

  package static let contentType = "text/event-stream"
  /// A comment line, which keeps a connection alive.
  package static let keepAlive: [UInt8] = Array(": keep-alive\n\n".utf8)

  package init(name: String, data: JSONValue, id: String? = nil) {
    self.name = name
    self.data = data
    self.id = id
  }

  /// The encoded event. JSON text contains no line breaks, so one `data` line is enough.
  package var bytes: [UInt8] { Self.bytes(name: name, data: JSONText(data), id: id) }

  package static func bytes(name: String, data: JSONText, id: String? = nil) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(name.utf8.count + data.bytes.count + (id?.utf8.count ?? 0) + 32)
    if let id {
      output.append(contentsOf: "id: ".utf8)
      output.append(contentsOf: id.utf8)
      output.append(UInt8(ascii: "\n"))
    }
    output.append(contentsOf: "event: ".utf8)
    output.append(contentsOf: name.utf8)
    output.append(contentsOf: "\ndata: ".utf8)
    output.append(contentsOf: data.bytes)
    output.append(contentsOf: "\n\n".utf8)
    return output
  }
}

/// Parses a stream's bytes incrementally.
package struct ServerSentEventParser: Sendable {
  package static let maximumEventBytes = 4 << 20

  private var line: [UInt8] = []
  private var name = ""
  private var data = ""
  private var id: String?
  private var endedWithCarriageReturn = false

  package init() {}

  /// Returns the completed events. Throws ``JSONError`` for invalid data or an event beyond ``maximumEventBytes``.
  package mutating func feed(_ bytes: some Sequence<UInt8>) throws(JSONError) -> [ServerSentEvent] {
    try feed(Array(bytes)[...])
  }

  /// ``feed(_:)`` for an array slice, parsed without a copy.
  package mutating func feed(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in bytes {
      defer { endedWithCarriageReturn = byte == 0x0D }
      switch byte {
      case 0x0A where endedWithCarriageReturn: continue
      case 0x0A, 0x0D: if let event = try endLine() { events.append(event) }
      default:
        guard line.count + data.utf8.count < Self.maximumEventBytes else { throw JSONError("an event is too long") }
        line.append(byte)
      }
    }
    return events
  }

  private mutating func endLine() throws(JSONError) -> ServerSentEvent? {
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else { return try dispatch() }
    let text = String(decoding: line, as: UTF8.self)
    let (field, rest) = text.cut(at: ":") ?? (text[...], "")
    let value = rest.rest(after: " ") ?? rest
    switch field {
    case "event": name = String(value)
    case "data": data += data.isEmpty ? String(value) : "\n" + value
    case "id": id = String(value)
    default: break
    }
    return nil
  }

  private mutating func dispatch() throws(JSONError) -> ServerSentEvent? {
    defer {
      name = ""
      data = ""
    }
    guard !data.isEmpty else { return nil }
    let json = try JSONValue(parsing: data, maximumDepth: JSONValue.maximumWrappedDepth)
    return ServerSentEvent(name: name.isEmpty ? "message" : name, data: json, id: id)
  }
}
