/// A message `session-bind@openssh.com`: the host that a connection's next requests are for. Proven only if the upstream agent
/// accepts it, because the agent checks the host's signature.
struct SSHSessionBinding: Hashable {
  let hostKey: [UInt8]
  let session: [UInt8]
  /// Whether the agent is forwarded to the host, so that later messages come from there.
  let isForwarding: Bool

  /// Returns `nil` if the frame is another message, or malformed.
  init?(_ frame: SSHAgentFrame) {
    guard frame.kind == SSHAgentFrame.Kind.extended else { return nil }
    var reader = SSHReader(frame.body)
    guard let name = reader.string(), name == Array("session-bind@openssh.com".utf8), let hostKey = reader.string(),
      let session = reader.string(), reader.string() != nil, let isForwarding = reader.bool(), reader.isAtEnd,
      !hostKey.isEmpty, !session.isEmpty
    else { return nil }
    (self.hostKey, self.session, self.isForwarding) = (hostKey, session, isForwarding)
  }
}
