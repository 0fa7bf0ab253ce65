import Glibc
import RouterCommandLine

enum LoopbackPort {
  /// Returns the first free port on 127.0.0.1, so that the pages of several users do not conflict.
  static func free(from first: UInt16) throws -> UInt16 {
    for port in first..<first + 100 {
      let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { break }
      defer { close(descriptor) }
      var yes: CInt = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let result = withUnsafeBytes(of: &address) {
        bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
      }
      if result == 0 { return port }
    }
    throw CommandFailure(.failed, "cannot find a free port for the page, starting at \(first)")
  }
}
