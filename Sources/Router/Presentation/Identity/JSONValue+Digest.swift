import Crypto

extension JSONValue {
  /// The SHA-256 of the value in hexadecimal. The order of an object's members does not matter.
  package var digest: String { SHA256.hash(data: withSortedMembers.bytes).hexadecimal }
}
