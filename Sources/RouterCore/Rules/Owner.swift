/// The owner of a request: a user on a host.
package struct Owner: Sendable, Hashable {
  package let host: String
  package let uid: UInt32

  package init(host: String, uid: UInt32) { (self.host, self.uid) = (host, uid) }
}

extension ProcessIdentity {
  package var owner: Owner { Owner(host: host, uid: uid) }
}
