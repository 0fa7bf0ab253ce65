/// Reads values of the SSH protocol (RFC 4251, section 5). Each method returns `nil` if the bytes end too early.
struct SSHReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func byte() -> UInt8? { rest.popFirst() }

  /// Any number but 0 is true.
  mutating func bool() -> Bool? { byte().map { $0 != 0 } }

  mutating func number() -> UInt32? { bytes(4)?.reduce(0) { $0 << 8 | UInt32($1) } }

  mutating func string() -> [UInt8]? { number().flatMap { bytes(Int($0)) }.map { Array($0) } }
}

extension [UInt8] {
  /// Appends the length and the bytes of an SSH string.
  mutating func append(sshString bytes: some Collection<UInt8>) {
    append(sshNumber: UInt32(truncatingIfNeeded: bytes.count))
    append(contentsOf: bytes)
  }

  mutating func append(sshNumber number: UInt32) {
    for shift in [24, 16, 8, 0] as [UInt32] { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
