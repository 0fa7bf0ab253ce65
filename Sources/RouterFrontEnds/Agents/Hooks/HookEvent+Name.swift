import Router

extension HookEvent.Name {
  /// Finds the event's name in invalid JSON: the only outermost member that has the host's name for it. The model's text is
  /// nested deeper, or in other members.
  static func find(in bytes: [UInt8], of host: AgentHost) -> (name: HookEvent.Name, hostsName: String)? {
    let member = Array(host.nameMember.utf8)
    var found: [[UInt8]] = []
    var (depth, index) = (0, 0)
    // The last outermost string, until a comma.
    var last: [UInt8]?
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 1: last = nil
      case UInt8(ascii: "\""):
        let start = index + 1
        index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        guard depth == 1 else { break }
        let text = Array(bytes[start..<min(index, bytes.count)])
        if last == member { found.append(text) }
        last = text
      default: break
      }
      index += 1
    }
    guard found.count == 1 else { return nil }
    let hostsName = String(decoding: found[0], as: UTF8.self)
    return host.events[hostsName].map { ($0, hostsName) }
  }
}
