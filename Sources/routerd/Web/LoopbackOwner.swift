import Glibc
import NIOCore

/// The user at the other end of a TCP connection within this machine, by the kernel's word (sock_diag(7)).
///
/// A cookie is sent to every port of a host, so another user's server could come by it; this is what makes it worth nothing
/// to them.
enum LoopbackOwner {
  /// The uid that owns the other end; `nil` if the kernel does not tell.
  static func uid(of channel: any Channel) -> UInt32? {
    guard let theirs = channel.remoteAddress?.loopback, let ours = channel.localAddress?.loopback else { return nil }
    return uid(from: theirs, to: ours)
  }

  /// One end of a connection: its family, and its address and port in the network's order.
  struct End: Sendable, Hashable {
    let family: UInt8
    let address: [UInt8]
    let port: [UInt8]
  }

  /// The kernel's number for `NETLINK_SOCK_DIAG`, which Glibc's module does not show to Swift.
  private static let socketDiagnosis: CInt = 4
  /// `SOCK_DIAG_BY_FAMILY`, the type of the question and of its answer.
  private static let byFamily: UInt16 = 20
  /// Where in an answer the uid is: behind the message's header of 16 bytes, 4 of states, the 48 of the socket's id, its
  /// timer and its two queues.
  private static let uidOffset = 16 + 4 + 48 + 12

  /// Asks the kernel for the socket that has these ends.
  static func uid(from local: End, to remote: End) -> UInt32? {
    let descriptor = socket(AF_NETLINK, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), socketDiagnosis)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let question = question(local, remote)
    guard send(descriptor, question, question.count, 0) == question.count else { return nil }
    var answer = [UInt8](repeating: 0, count: 4096)
    // The kernel answers before send(2) returns.
    let count = recv(descriptor, &answer, answer.count, CInt(MSG_DONTWAIT))
    guard count >= uidOffset + 4 else { return nil }
    return answer.withUnsafeBytes { bytes in
      guard bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == byFamily else { return nil }
      return bytes.loadUnaligned(fromByteOffset: uidOffset, as: UInt32.self)
    }
  }

  /// `struct nlmsghdr` and `struct inet_diag_req_v2`.
  private static func question(_ local: End, _ remote: End) -> [UInt8] {
    func padded(_ address: [UInt8]) -> [UInt8] { address + [UInt8](repeating: 0, count: 16 - address.count) }
    // Any state, any interface, any cookie.
    let body =
      [local.family, UInt8(IPPROTO_TCP), 0, 0] + raw(UInt32.max) + local.port + remote.port + padded(local.address)
      + padded(remote.address) + raw(UInt32(0)) + raw(UInt64.max)
    // A request, the first one, from whichever process this is.
    return raw(UInt32(16 + body.count)) + raw(byFamily) + raw(UInt16(1)) + raw(UInt32(1)) + raw(UInt32(0)) + body
  }

  private static func raw(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }
}

extension SocketAddress {
  /// The address as one end of a connection within this machine; `nil` for another.
  var loopback: LoopbackOwner.End? {
    guard let ipAddress, let port else { return nil }
    let bytes = [UInt8(port >> 8 & 0xff), UInt8(port & 0xff)]
    if ipAddress == "::1" {
      return LoopbackOwner.End(family: UInt8(AF_INET6), address: [UInt8](repeating: 0, count: 15) + [1], port: bytes)
    }
    let octets = ipAddress.split(separator: ".").compactMap { UInt8($0) }
    guard octets.count == 4, octets[0] == 127 else { return nil }
    return LoopbackOwner.End(family: UInt8(AF_INET), address: octets, port: bytes)
  }
}
