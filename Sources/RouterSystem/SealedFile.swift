import CLinux
import Glibc

/// An immutable file in memory (memfd_create(2), "File sealing").
package enum SealedFile {
  // Constants of <sys/mman.h> and <fcntl.h> that need _GNU_SOURCE.
  private static let allowSealing: UInt32 = 2
  private static let addSeals: CInt = 1033
  /// Seals against further seals, shrinking, growing and writing.
  private static let seals: CInt = 0xF

  /// Creates a file with a content. Returns its descriptor, which children inherit.
  package static func make(_ content: [UInt8], named name: String) throws(SystemFailure) -> CInt {
    let descriptor = clinux_memory_file(name, allowSealing)
    guard descriptor >= 0 else { throw SystemFailure() }
    let failure = content.withUnsafeBytes { Descriptors.writeAll(descriptor, $0) }
    guard failure == nil, fcntl(descriptor, addSeals, seals) == 0 else {
      defer { close(descriptor) }
      throw SystemFailure(failure ?? errno)
    }
    return descriptor
  }
}
