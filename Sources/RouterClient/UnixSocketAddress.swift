package import Glibc

/// A Unix socket address for system calls (unix(7)): the family, and a path with zero padding or an abstract name.
package struct UnixSocketAddress: Sendable {
  package struct PathIsTooLong: Error {}

  private static let pathOffset = MemoryLayout<sa_family_t>.size
  /// The maximum length of a path in bytes, without the terminating zero.
  package static let maximumPathBytes = MemoryLayout<sockaddr_un>.size - pathOffset - 1

  private var bytes = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_un>.size)

  package init(path: String) throws(PathIsTooLong) {
    let path = path.utf8
    guard path.count <= Self.maximumPathBytes else { throw PathIsTooLong() }
    withUnsafeBytes(of: sa_family_t(AF_UNIX)) { bytes.replaceSubrange(0..<Self.pathOffset, with: $0) }
    bytes.replaceSubrange(Self.pathOffset..<Self.pathOffset + path.count, with: path)
  }

  /// - Parameter name: A name in the abstract namespace, without the leading zero.
  package init(abstract name: String) throws(PathIsTooLong) {
    guard name.utf8.count <= Self.maximumPathBytes else { throw PathIsTooLong() }
    bytes = withUnsafeBytes(of: sa_family_t(AF_UNIX)) { Array($0) } + [0] + name.utf8
  }

  package func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
    // An array's memory is sufficiently aligned.
    bytes.withUnsafeBytes { body($0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t($0.count)) }
  }
}
