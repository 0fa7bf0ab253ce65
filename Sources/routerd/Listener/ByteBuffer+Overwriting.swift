import Glibc
import NIOCore

extension ByteBuffer {
  /// Overwrites the readable bytes, including in all buffers that share them. NIO keeps an open connection's last read buffers,
  /// and an answer must not remain there.
  func overwrite() {
    withUnsafeReadableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      explicit_bzero(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }
}
