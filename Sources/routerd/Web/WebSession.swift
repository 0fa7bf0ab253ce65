import FoundationEssentials
import OrderedCollections
import Router

/// A browser session, stored only in the browser, as a signed cookie.
struct WebSession: Sendable, Hashable {
  /// The user of the session. Permissions are checked on each call.
  let peer: Peer
  /// The user whose browser opened the link; the session is invalid on other users' connections.
  let browser: UInt32
  /// The expiry time, in seconds since 1970.
  let end: Int
}

extension WebSession {
  /// Returns the cookie's value: the members and their authentication code, both in hexadecimal.
  func cookie(signedWith key: WebKey) -> String {
    let text = json.bytes
    return "\(text.hexadecimal).\(Cryptography.code(of: text, key: key.bytes).hexadecimal)"
  }

  /// Parses a cookie; `nil` if this key did not sign it, or if it has expired.
  init?(cookie: String, signedWith key: WebKey, now: Int) {
    let parts = cookie.split(at: ".", omittingEmptySubsequences: false)
    // Only the original lowercase form is valid.
    guard parts.count == 2, cookie == cookie.lowercased(), let text = [UInt8](hexadecimal: parts[0]),
      let code = [UInt8](hexadecimal: parts[1]),
      Cryptography.isEqual(code, Cryptography.code(of: text, key: key.bytes)),
      let json = try? JSONValue(parsing: text), let session = Self(json: json), session.end > now
    else { return nil }
    self = session
  }

  private var json: JSONValue {
    var json: OrderedDictionary<String, JSONValue> = [
      "uid": .integer(Int(peer.process.uid)), "gid": .integer(Int(peer.process.gid)), "pid": .integer(Int(peer.process.pid)),
      "executable": .optional(peer.process.executable), "unit": .optional(peer.process.unit),
      "groups": .array(peer.groups.sorted().map { .integer(Int($0)) }), "browser": .integer(Int(browser)),
      "end": .integer(end),
    ]
    if let doubt = peer.process.executableDoubt { json["executableDoubt"] = .string(doubt.rawValue) }
    // Cookies are limited to 4096 bytes, so the cookie stores only the identity of each ancestor.
    let ancestry = (peer.process.ancestry ?? []).flatMap { [.integer(Int($0.pid)), JSONValue.integer($0.started)] }
    if !ancestry.isEmpty { json["ancestry"] = .array(ancestry) }
    // Stores the people behind the process only if they differ from its user.
    if let user = peer.process.loginUser { json["loginUid"] = .integer(Int(user)) }
    let users = (peer.process.ancestry ?? []).enumerated().compactMap { index, ancestor in
      ancestor.uid.map { JSONValue.array([.integer(index), .integer(Int($0))]) }
    }
    if !users.isEmpty { json["users"] = .array(users) }
    return .object(json)
  }

  private init?(json: JSONValue) {
    func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
      json[name]?.number?.integer.flatMap(Number.init(exactly:))
    }
    guard let uid: UInt32 = number("uid"), let gid: UInt32 = number("gid"), let pid: Int32 = number("pid"),
      let groups = json["groups"]?.array, let browser: UInt32 = number("browser"), let end: Int = number("end")
    else { return nil }
    let numbers = (json["ancestry"]?.array ?? []).compactMap { $0.number?.integer }
    var ancestry = stride(from: 0, to: numbers.count - 1, by: 2).map {
      ProcessIdentity.Ancestor(pid: Int32(truncatingIfNeeded: numbers[$0]), started: numbers[$0 + 1])
    }
    for entry in json["users"]?.array ?? [] {
      let pair = (entry.array ?? []).compactMap { $0.number?.integer }
      if pair.count == 2, ancestry.indices.contains(pair[0]) { ancestry[pair[0]].setUser(UInt32(exactly: pair[1])) }
    }
    var process = ProcessIdentity(
      uid: uid, gid: gid, pid: pid, executable: json["executable"]?.string,
      executableDoubt: json["executableDoubt"]?.string.flatMap(ProcessIdentity.ExecutableDoubt.init),
      unit: json["unit"]?.string, ancestry: ancestry.isEmpty ? nil : ancestry)
    process.loginUser = number("loginUid")
    self.init(
      peer: Peer(
        process: process,
        supplementaryGroups: groups.compactMap { $0.number?.integer.flatMap(UInt32.init(exactly:)) }),
      browser: browser, end: end)
  }
}
