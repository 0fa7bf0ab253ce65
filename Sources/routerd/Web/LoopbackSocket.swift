import Glibc
import Router

/// The socket on which the page is served.
final class LoopbackSocket: Sendable {
  let descriptor: CInt
  /// The address with the port that it has.
  let address: WebAddress

  /// Binds and listens.
  ///
  /// - Throws: ``RouterError`` if the port is another's, or may not be had.
  init(_ wanted: WebAddress) throws {
    let family = wanted.host == .v4 ? AF_INET : AF_INET6
    descriptor = socket(family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw RouterError(failed: "cannot make a socket for the page") }
    do {
      var yes: CInt = 1
      // What is left of the connections of the daemon before this one does not keep the port.
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

  /// The port stands at the same place in both families' names.
  private static func port(of descriptor: CInt) throws -> UInt16 {
    var name = [UInt8](repeating: 0, count: 128)
    var size = socklen_t(name.count)
    let result = name.withUnsafeMutableBytes {
      getsockname(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
    }
    guard result == 0 else { throw RouterError(failed: "cannot find out the page's port") }
    return UInt16(name[2]) << 8 | UInt16(name[3])
  }
}

extension WebAddress {
  /// The socket's name as ip(7) and ipv6(7) lay it out, byte by byte: whose type a C structure is changes with what else is
  /// imported. The family is in the machine's order, the port and the address are in the network's.
  fileprivate var name: [UInt8] {
    let family = withUnsafeBytes(of: UInt16(host == .v4 ? AF_INET : AF_INET6)) { Array($0) }
    let port = [UInt8(port >> 8), UInt8(port & 0xff)]
    let none = [UInt8](repeating: 0, count: 4)
    return switch host {
    case .v4: family + port + [127, 0, 0, 1] + none + none
    // Flow information, the address, the scope.
    case .v6: family + port + none + none + none + none + [0, 0, 0, 1] + none
    }
  }
}
