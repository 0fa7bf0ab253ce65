import Router

/// An entry of systemd's journal: fields in the order in which they were added, in the format of
/// <https://systemd.io/JOURNAL_NATIVE_PROTOCOL/>.
struct JournalEntry {
  private(set) var bytes: [UInt8] = []

  /// - Parameter name: Capital letters, digits and `_`, beginning with a letter.
  mutating func add(_ name: StaticString, _ value: String) {
    name.withUTF8Buffer { bytes += $0 }
    // A line break would end the field, so the value's length precedes it.
    if value.utf8.contains(UInt8(ascii: "\n")) {
      bytes.append(UInt8(ascii: "\n"))
      withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += value.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  mutating func add(_ name: StaticString, ifPresent value: String?) {
    if let value { add(name, value) }
  }
}

extension JournalEntry {
  /// The facts of a request, repeated in the entries of its later events.
  struct Asked: Sendable {
    let app: String
    let uid: UInt32
    /// The host; empty for this machine.
    let host: String
    let surface: String

    init(_ requester: Presentation.Requester, _ request: PresentationRequest) {
      (app, uid, host, surface) = (requester.app, requester.process.uid, requester.process.host, request.surface)
    }
  }

  /// Creates the entry of an event, without the texts of the request and the answer.
  init(_ chained: ChainedEvent, asked: Asked?) {
    let (event, detail) = (chained.event, chained.event.detail)
    let (by, byHost) = (detail["by"]?["uid"]?.description, detail["by"]?["host"]?.string ?? "")
    let surface = asked?.surface ?? detail["surface"]?.string
    func user(_ uid: String, _ host: String) -> String { "uid \(uid)" + (host.isEmpty ? "" : " on \(host)") }
    let about = asked.map { "\($0.app.shortened) (\(user(String($0.uid), $0.host))) on \($0.surface): " } ?? ""
    add("MESSAGE", about + event.kind.rawValue + (by.map { " by " + user($0, byHost) } ?? ""))
    add("MESSAGE_ID", Self.messageID(of: event.kind))
    add("PRIORITY", String(event.kind.syslogSeverity))
    add("SYSLOG_IDENTIFIER", "routerd")
    add("ROUTER_SEQ", String(event.seq))
    add("ROUTER_AT", event.at.description)
    add("ROUTER_TYPE", event.kind.rawValue)
    add("ROUTER_HASH", chained.hash.hexadecimal)
    add("ROUTER_PRESENTATION", ifPresent: event.presentation?.description)
    add("ROUTER_APP", ifPresent: asked?.app ?? detail["app"]?.string)
    add("ROUTER_UID", ifPresent: asked.map { String($0.uid) } ?? detail["uid"]?.description)
    if let asked, !asked.host.isEmpty { add("ROUTER_HOST", asked.host) }
    add("ROUTER_SURFACE", ifPresent: surface)
    if detail["stays"]?.bool != true { add("ROUTER_OUTCOME", ifPresent: detail["outcome"].map { _ in event.kind.rawValue }) }
    add("ROUTER_BECAUSE", ifPresent: Self.authority(detail["because"]))
    add("ROUTER_BY_UID", ifPresent: by)
    if !byHost.isEmpty { add("ROUTER_BY_HOST", byHost) }
  }

  private static func authority(_ json: JSONValue?) -> String? {
    json.flatMap { try? Presentation.Authority(json: $0, at: "") }?.description
  }

  /// The beginning of the SHA-256 of `router event KIND`, marked as a random UUID (version 4), as sd-id128(3) asks.
  private static func messageID(of kind: AuditEvent.Kind) -> String {
    var bytes = Array(Cryptography.sha256(Array("router event \(kind.rawValue)".utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.hexadecimal
  }
}
