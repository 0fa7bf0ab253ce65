import Crypto

extension JSONValue {
  /// The SHA-256 of the value in hexadecimal, independent of the order of members.
  package var digest: String { SHA256.hash(data: withSortedMembers.bytes).hexadecimal }
}
