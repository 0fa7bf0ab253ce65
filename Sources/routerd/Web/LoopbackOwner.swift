import Glibc
import NIOCore
import Router

/// Finds the user at the other end of a loopback TCP connection by asking the kernel (sock_diag(7)).
///
/// Browsers send a cookie to every port of a host, so another user's server can learn it. This check makes a stolen cookie
/// useless.
enum LoopbackOwner {
  /// Returns the uid that owns the other end; `nil` unless it is an established socket of a process.
  static func uid(of channel: any Channel) -> UInt32? {
    guard let theirs = channel.remoteAddress?.loopback, let ours = channel.localAddress?.loopback else { return nil }
    return uid(from: theirs, to: ours)
  }

  /// One end of a connection: its family, and its address and port in network byte order.
  struct End: Sendable, Hashable {
    let family: UInt8
    let address: [UInt8]
    let port: [UInt8]
  }

  /// The kernel's value of `NETLINK_SOCK_DIAG`, which the Glibc module does not import.
  private static let socketDiagnosis: CInt = 4
  /// `SOCK_DIAG_BY_FAMILY`, the message type of the query and of the reply.
  private static let byFamily: UInt16 = 20
  /// `TCP_ESTABLISHED` from the kernel's `net/tcp_states.h`.
  private static let established: UInt8 = 1
  /// Offsets in the reply, a `struct nlmsghdr` (16 bytes) and a `struct inet_diag_msg`: family, state, timer and retransmits,
  /// the socket's id (48 bytes), its timer and two queues, uid, inode.
  private static let (stateOffset, uidOffset, inodeOffset) = (16 + 1, 16 + 4 + 48 + 12, 16 + 4 + 48 + 16)

  /// Returns the kernel's uid for the owner of the socket with these ends.
  ///
  /// A closing socket may no longer have an owner; its uid then reads as 0, which is root's.
  static func uid(from local: End, to remote: End) -> UInt32? {
    let descriptor = socket(AF_NETLINK, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), socketDiagnosis)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let question = question(local, remote)
    guard send(descriptor, question, question.count, 0) == question.count else { return nil }
    var answer = [UInt8](repeating: 0, count: 4096)
    // The kernel queues the reply before send(2) returns.
    let count = recv(descriptor, &answer, answer.count, CInt(MSG_DONTWAIT))
    guard count >= inodeOffset + 4 else { return nil }
    return answer.withUnsafeBytes { bytes in
      guard bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == byFamily, bytes[stateOffset] == established,
        bytes.loadUnaligned(fromByteOffset: inodeOffset, as: UInt32.self) != 0
      else { return nil }
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
    // A request with sequence number 1 and no sender id.
    return raw(UInt32(16 + body.count)) + raw(byFamily) + raw(UInt16(1)) + raw(UInt32(1)) + raw(UInt32(0)) + body
  }

  private static func raw(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }
}

extension SocketAddress {
  /// The address as an end of a loopback connection; `nil` for other addresses.
  var loopback: LoopbackOwner.End? {
    guard let ipAddress, let port else { return nil }
    let bytes = [UInt8(port >> 8 & 0xff), UInt8(port & 0xff)]
    if ipAddress == "::1" {
      return LoopbackOwner.End(family: UInt8(AF_INET6), address: [UInt8](repeating: 0, count: 15) + [1], port: bytes)
    }
    let octets = ipAddress.split(at: ".").compactMap { UInt8($0) }
    guard octets.count == 4, octets[0] == 127 else { return nil }
    return LoopbackOwner.End(family: UInt8(AF_INET), address: octets, port: bytes)
  }
}
