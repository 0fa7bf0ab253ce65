@testable import RouterFrontEnds

/// Messages of the agent protocol.
enum SSHAgentSamples {
  static let key = publicKey("key")
  static let host = publicKey("host")
  static let gateway = publicKey("gateway")
  static let session = Array("session id of 32 bytes.........!".utf8)
  static let success = SSHAgentFrame(6).bytes
  static let failure = SSHAgentFrame(5).bytes
  static let requestIdentities = SSHAgentFrame(11).bytes

  /// The types of messages that pass without a question.
  static let kindsWithoutKey: [UInt8] = [11, 17, 18, 19, 20, 21, 22, 23, 25, 26]
  /// The beginnings of extensions that pass without a question.
  static let extensionsWithoutKey = [strings("session-bind@openssh.com"), strings("query")]

  static func publicKey(_ text: String) -> [UInt8] { strings("ssh-ed25519", text) }

  /// SSH strings, one after the other.
  static func strings(_ texts: String...) -> [UInt8] {
    texts.reduce(into: []) { bytes, text in bytes.append(sshString: text.utf8) }
  }

  static func identities(_ keys: (key: [UInt8], comment: String)...) -> [UInt8] {
    var body: [UInt8] = []
    body.append(sshNumber: UInt32(keys.count))
    for (key, comment) in keys {
      body.append(sshString: key)
      body.append(sshString: comment.utf8)
    }
    return SSHAgentFrame(12, body).bytes
  }

  static func binding(_ host: [UInt8] = host, session: [UInt8] = session, isForwarding: Bool = false) -> [UInt8] {
    var body = strings("session-bind@openssh.com")
    for part in [host, session, Array("signature".utf8)] { body.append(sshString: part) }
    return SSHAgentFrame(27, body + [isForwarding ? 1 : 0]).bytes
  }

  static func sign(_ data: [UInt8], key: [UInt8] = key) -> [UInt8] {
    var body: [UInt8] = []
    body.append(sshString: key)
    body.append(sshString: data)
    body.append(sshNumber: 0)
    return SSHAgentFrame(13, body).bytes
  }

  /// - Parameter hostKey: The host key in the data of the method `publickey-hostbound-v00@openssh.com`.
  static func login(
    _ user: String = "git", session: [UInt8] = session, key: [UInt8] = key, hostKey: [UInt8]? = nil
  ) -> [UInt8] {
    var data: [UInt8] = []
    data.append(sshString: session)
    data.append(50)
    data += strings(user, "ssh-connection", hostKey == nil ? "publickey" : "publickey-hostbound-v00@openssh.com")
    data.append(1)
    data += strings("ssh-ed25519")
    data.append(sshString: key)
    if let hostKey { data.append(sshString: hostKey) }
    return data
  }

  static func signature(_ namespace: String = "git") -> [UInt8] {
    Array("SSHSIG".utf8) + strings(namespace, "", "sha512", "a hash")
  }
}
