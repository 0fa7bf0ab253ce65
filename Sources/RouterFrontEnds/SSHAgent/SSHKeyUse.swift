/// The use of a key that a client asks for, with what its connection proves about it.
struct SSHKeyUse: Hashable {
  enum Purpose: Hashable {
    /// A log-in to the host with this key, which the upstream agent has checked.
    case login(user: [UInt8], hostKey: [UInt8])
    /// A log-in to a host that the connection does not prove.
    case unboundLogin(user: [UInt8])
    case signature(namespace: [UInt8])
    case unknown
  }

  let key: [UInt8]
  /// The key's comment, as the upstream agent lists it.
  let comment: [UInt8]?
  let purpose: Purpose
  /// The keys of the hosts that the agent is forwarded to, nearest first.
  let forwarders: [[UInt8]]
  let isForwarded: Bool

  init(_ request: SSHSignRequest, comment: [UInt8]?, _ bindings: SSHSessionBindings) {
    (key, self.comment) = (request.key, comment)
    (forwarders, isForwarded) = (bindings.forwarders, bindings.isForwarded)
    switch request.purpose {
    case .login(let user, let session, let hostKey):
      if let last = bindings.last, last.session == session, hostKey == nil || hostKey == last.hostKey {
        purpose = .login(user: user, hostKey: last.hostKey)
      } else {
        purpose = .unboundLogin(user: user)
      }
    case .signature(let namespace): purpose = .signature(namespace: namespace)
    case .unknown: purpose = .unknown
    }
  }
}

/// The bindings of a connection that the upstream agent has accepted.
struct SSHSessionBindings: Hashable {
  /// The maximum number of forwarding hosts that are listed.
  private static let maximumForwarders = 16

  /// The binding of the host that is authenticated to.
  private(set) var last: SSHSessionBinding?
  private(set) var forwarders: [[UInt8]] = []
  private(set) var isForwarded = false

  /// Marks the connection as forwarded, also if the upstream agent then refuses the binding.
  mutating func note(attempt binding: SSHSessionBinding) { isForwarded = isForwarded || binding.isForwarding }

  mutating func append(_ binding: SSHSessionBinding) {
    last = binding
    guard binding.isForwarding else { return }
    if forwarders.count < Self.maximumForwarders, !forwarders.contains(binding.hostKey) { forwarders.append(binding.hostKey) }
  }
}
