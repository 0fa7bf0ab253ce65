import FoundationEssentials
import Glibc
import NIOCore
import Router

/// The owner of the other end of a loopback TCP connection, by the kernel (sock_diag(7)).
///
/// Browsers send a cookie to every port of a host, so another user's server can learn it. Comparing the user makes a stolen cookie
/// useless.
struct LoopbackOwner: Sendable, Hashable {
  let uid: UInt32
  /// Identifies the socket among the descriptors of processes (proc_pid_fd(5)).
  let inode: UInt32

  /// Finds the owner; `nil` unless the other end is an established socket of a process.
  init?(of channel: any Channel) {
    guard let theirs = channel.remoteAddress?.loopback, let ours = channel.localAddress?.loopback else { return nil }
    self.init(from: theirs, to: ours)
  }

  init(uid: UInt32, inode: UInt32) { (self.uid, self.inode) = (uid, inode) }

  /// The process that has the socket open, the first of several; `nil` if the daemon sees none. Reads the descriptors of all the
  /// user's processes.
  var process: Int32? {
    let socket = Array("socket:[\(inode)]".utf8)
    func names(_ directory: String) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] }
    return names("/proc").compactMap { Int32($0) }.sorted().first { pid in
      FileStatus(of: "/proc/\(pid)")?.uid == uid
        && names("/proc/\(pid)/fd").contains { SymbolicLink.target(of: "/proc/\(pid)/fd/\($0)") == socket }
    }
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

  /// Finds the owner of the socket with these ends.
  ///
  /// A closing socket may no longer have an owner; its uid then reads as 0, which is root's.
  init?(from local: End, to remote: End) {
    let descriptor = socket(AF_NETLINK, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), Self.socketDiagnosis)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let question = Self.question(local, remote)
    guard send(descriptor, question, question.count, 0) == question.count else { return nil }
    var answer = [UInt8](repeating: 0, count: 4096)
    // The kernel queues the reply before send(2) returns.
    let count = recv(descriptor, &answer, answer.count, CInt(MSG_DONTWAIT))
    guard count >= Self.inodeOffset + 4 else { return nil }
    func number<Number: FixedWidthInteger>(_ offset: Int) -> Number {
      answer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }
    (uid, inode) = (number(Self.uidOffset), number(Self.inodeOffset))
    guard number(4) == Self.byFamily, answer[Self.stateOffset] == Self.established, inode != 0 else { return nil }
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
