import Glibc
import Router

/// The listening socket of the page.
final class LoopbackSocket: Sendable {
  let descriptor: CInt
  /// The address with the actual port.
  let address: WebAddress

  /// Binds and listens.
  ///
  /// - Throws: ``RouterError`` if the port is in use or not permitted.
  init(_ wanted: WebAddress) throws {
    let family = wanted.host == .v4 ? AF_INET : AF_INET6
    descriptor = socket(family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw RouterError(failed: "cannot create a socket for the page") }
    do {
      var yes: CInt = 1
      // Lets a restarted daemon reuse the port while old connections are in TIME_WAIT.
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
      guard Self.bind(descriptor, to: wanted) == 0, Glibc.listen(descriptor, SOMAXCONN) == 0 else {
        throw RouterError(failed: "cannot serve the page on \(wanted)")
      }
      var bound = wanted
      bound.port = try Self.port(of: descriptor)
      address = bound
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func bind(_ descriptor: CInt, to address: WebAddress) -> CInt {
    address.name.withUnsafeBytes {
      Glibc.bind(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
  }

  /// The port has the same offset in both families' socket addresses.
  private static func port(of descriptor: CInt) throws -> UInt16 {
    var name = [UInt8](repeating: 0, count: 128)
    var size = socklen_t(name.count)
    let result = name.withUnsafeMutableBytes {
      getsockname(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
    }
    guard result == 0 else { throw RouterError(failed: "cannot read the page's port") }
    return UInt16(name[2]) << 8 | UInt16(name[3])
  }
}

extension WebAddress {
  /// The socket address as ip(7) and ipv6(7) define it, byte by byte, because the types of the C structure's fields vary with
  /// the imports. The family is in host byte order, the port and address in network byte order.
  fileprivate var name: [UInt8] {
    let family = withUnsafeBytes(of: UInt16(host == .v4 ? AF_INET : AF_INET6)) { Array($0) }
    let port = [UInt8(port >> 8), UInt8(port & 0xff)]
    let none = [UInt8](repeating: 0, count: 4)
    return switch host {
    case .v4: family + port + [127, 0, 0, 1] + none + none
    // Flow information, address, scope id.
    case .v6: family + port + none + none + none + none + [0, 0, 0, 1] + none
    }
  }
}
