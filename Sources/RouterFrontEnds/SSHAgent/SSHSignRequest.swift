/// A request to sign, with the purpose that its data states.
struct SSHSignRequest: Hashable {
  enum Purpose: Hashable {
    /// A log-in to the host with the session id (RFC 4252, section 7); `hostKey` if the data repeats it.
    case login(user: [UInt8], session: [UInt8], hostKey: [UInt8]?)
    /// A signature of a file, a git commit or the like (`PROTOCOL.sshsig` of OpenSSH).
    case signature(namespace: [UInt8])
    /// Data of another form.
    case unknown
  }

  let key: [UInt8]
  let purpose: Purpose

  /// - Parameter body: The body of the message. Returns `nil` if it is malformed.
  init?(_ body: ArraySlice<UInt8>) {
    var reader = SSHReader(body)
    guard let key = reader.string(), let data = reader.string(), reader.number() != nil, reader.isAtEnd, !key.isEmpty
    else { return nil }
    self.key = key
    purpose = Self.login(data, key) ?? Self.signature(data) ?? .unknown
  }

  private static let methods = ["publickey", "publickey-hostbound-v00@openssh.com"].map { Array($0.utf8) }

  private static func login(_ data: [UInt8], _ key: [UInt8]) -> Purpose? {
    var reader = SSHReader(data)
    guard let session = reader.string(), !session.isEmpty, reader.byte() == 50, let user = reader.string(),
      reader.string() == Array("ssh-connection".utf8), let method = reader.string(), methods.contains(method),
      reader.byte() == 1, reader.string() != nil, reader.string() == key
    else { return nil }
    guard method == methods[1] else {
      return reader.isAtEnd ? .login(user: user, session: session, hostKey: nil) : nil
    }
    guard let hostKey = reader.string(), reader.isAtEnd else { return nil }
    return .login(user: user, session: session, hostKey: hostKey)
  }

  private static func signature(_ data: [UInt8]) -> Purpose? {
    var reader = SSHReader(data)
    guard reader.bytes(6).map({ $0.elementsEqual("SSHSIG".utf8) }) == true, let namespace = reader.string(),
      !namespace.isEmpty, reader.string() != nil, reader.string() != nil, reader.string() != nil, reader.isAtEnd
    else { return nil }
    return .signature(namespace: namespace)
  }
}
