extension JSONValue {
  /// The SHA-256 of the value in hexadecimal, independent of the order of members.
  package var digest: String { Cryptography.sha256(withSortedMembers.bytes).hexadecimal }
}
