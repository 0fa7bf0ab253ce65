import ArgumentParser
import OrderedCollections
import Router

/// A format of forwarded events.
enum ForwardFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
  /// The event in the format of the HTTP API, with its hash.
  case json
  /// Syslog (RFC 5424).
  case rfc5424
  /// OpenTelemetry's logs in JSON.
  case otlp
}

/// Encodes events for a target.
struct ForwardEncoder: Sendable {
  let format: ForwardFormat
  let host: String

  /// Encodes one line per event.
  func lines(_ events: ArraySlice<ChainedEvent>) -> [UInt8] {
    events.flatMap { event -> [UInt8] in
      let line =
        switch format {
        case .json: Array(event.json.description.utf8)
        case .rfc5424: syslog(event)
        case .otlp: Array(otlp([event]).description.utf8)
        }
      return line + [UInt8(ascii: "\n")]
    }
  }

  // MARK: Syslog

  /// The facility "log audit".
  private static let facility = 13

  /// A syslog message: the number and hash as structured data, and the event in JSON.
  ///
  /// - Parameter isBrief: Whether to omit the detail.
  func syslog(_ event: ChainedEvent, isBrief: Bool = false) -> [UInt8] {
    let about = event.event.presentation.map { " presentation=\"\($0)\"" } ?? ""
    var json = event.json
    if isBrief, case .object(var members) = json {
      members["detail"] = nil
      members["omitted"] = "detail"
      json = .object(members)
    }
    // A host name is printable ASCII (RFC 5424, section 6.2.4).
    let name = String(host.unicodeScalars.filter { (0x21...0x7E).contains($0.value) }.prefix(255).map(Character.init))
    let head =
      "<\(Self.facility * 8 + event.event.kind.syslogSeverity)>1 \(event.event.at) \(name.isEmpty ? "-" : name) routerd - "
      + "\(event.event.kind.rawValue) [router@32473 seq=\"\(event.head.seq)\" hash=\"\(event.hash.hexadecimal)\"\(about)] "
    return Array(head.utf8) + json.description.asciiJSON
  }

  // MARK: OpenTelemetry

  /// An export request of OTLP/HTTP.
  func otlp(_ events: ArraySlice<ChainedEvent>) -> JSONValue {
    func attribute(_ name: String, _ text: String) -> JSONValue {
      ["key": .string(name), "value": ["stringValue": .string(text)]]
    }
    let records = events.map { event -> JSONValue in
      let (at, isWarning) = (event.event.at, event.event.kind.syslogSeverity == 4)
      var attributes: [JSONValue] = [
        ["key": "router.seq", "value": ["intValue": .string(String(event.head.seq))]],
        attribute("router.type", event.event.kind.rawValue), attribute("router.hash", event.hash.hexadecimal),
      ]
      if let id = event.event.presentation { attributes.append(attribute("router.presentation", id.description)) }
      return [
        "timeUnixNano": .string("\(at.milliseconds)000000"), "observedTimeUnixNano": .string("\(at.milliseconds)000000"),
        "severityNumber": isWarning ? 13 : 9, "severityText": isWarning ? "WARN" : "INFO",
        "eventName": .string("router.\(event.event.kind.rawValue)"),
        "body": ["stringValue": .string(event.event.detail.description)], "attributes": .array(attributes),
      ]
    }
    return [
      "resourceLogs": [
        [
          "resource": ["attributes": [attribute("service.name", "routerd"), attribute("host.name", host)]],
          "scopeLogs": [["scope": ["name": "router", "version": .string(routerVersion)], "logRecords": .array(records)]],
        ]
      ]
    ]
  }
}

extension String {
  /// JSON in ASCII, with other characters escaped, since a syslog message has no declared encoding.
  fileprivate var asciiJSON: [UInt8] {
    if utf8.allSatisfy({ $0 < 0x7F }) { return Array(utf8) }
    return utf16.flatMap { unit -> [UInt8] in
      guard unit > 0x7E else { return [UInt8(unit)] }
      let digits = String(unit, radix: 16)
      return Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
    }
  }
}
