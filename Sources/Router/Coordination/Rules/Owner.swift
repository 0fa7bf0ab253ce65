/// The owner of a request: a user on a host.
struct Owner: Sendable, Hashable {
  let host: String
  let uid: UInt32
}

extension ProcessIdentity {
  var owner: Owner { Owner(host: host, uid: uid) }
}
