import NIOCore
import NIOEmbedded
import Router
import Testing

@testable import routerd

// Promise P57.
struct ConnectionGateTests {
  private let gate = ConnectionGate(descriptors: 10_000)
  private let limits: ConnectionLimits

  init() {
    var limits = ConnectionLimits()
    limits.total = 5
    limits.perUser = 3
    self.limits = limits
  }

  private func peer(_ uid: UInt32) -> Peer { Peer(process: ProcessIdentity(uid: uid, gid: uid, pid: 1)) }

  private func enter(_ uid: UInt32, _ channel: EmbeddedChannel = EmbeddedChannel()) -> ConnectionGate.Verdict {
    gate.enter(channel, peer(uid), roles: [.request], limits: limits)
  }

  @Test func `limits connections per user and in total`() {
    #expect((0..<4).map { _ in enter(1) } == [.admitted, .admitted, .admitted, .turnedAway])
    #expect((0..<3).map { _ in enter(2) } == [.admitted, .admitted, .turnedAway])
    #expect(enter(3) == .turnedAway)
  }

  @Test func `admits connections after others close`() {
    let first = EmbeddedChannel()
    #expect(enter(1, first) == .admitted)
    #expect((0..<3).map { _ in enter(1) } == [.admitted, .admitted, .turnedAway])
    gate.leave(first)
    gate.leave(first)
    #expect((0..<2).map { _ in enter(1) } == [.admitted, .turnedAway])
  }

  @Test func `turns away a limited number of connections and drops the rest`() {
    for _ in 0..<3 { #expect(enter(1) == .admitted) }
    let told = EmbeddedChannel()
    #expect(enter(1, told) == .turnedAway)
    for _ in 1..<ConnectionGate.turnedAway.perUser { #expect(enter(1) == .turnedAway) }
    #expect(enter(1) == .dropped)
    #expect(enter(2) == .admitted)
    gate.leave(told)
    #expect(enter(1) == .turnedAway)
    #expect(enter(1) == .dropped)
    var verdicts: [ConnectionGate.Verdict] = []
    for uid in 10..<100 { verdicts.append(enter(UInt32(uid))) }
    #expect(verdicts.count { $0 == .admitted } == 1)
    #expect(verdicts.count { $0 == .turnedAway } == ConnectionGate.turnedAway.total - ConnectionGate.turnedAway.perUser)
  }

  @Test func `limits connections to the available file descriptors`() {
    // 64 are the daemon's own, and half of the rest may be rejected connections.
    let small = ConnectionGate(descriptors: 70)
    let verdicts = (1...4).map { small.enter(EmbeddedChannel(), peer($0), roles: [], limits: ConnectionLimits()) }
    #expect(verdicts == [.admitted, .admitted, .admitted, .turnedAway])
  }

  @Test func `with few descriptors, leaves half for other users and a tenth for administrators`() {
    for (descriptors, total) in [(256, 128), (1024, 896)] {
      let small = ConnectionGate(descriptors: descriptors)
      func admitted(_ uid: UInt32, _ roles: Set<Role>) -> Int {
        (0..<2000).count { _ in small.enter(EmbeddedChannel(), peer(uid), roles: roles, limits: ConnectionLimits()) == .admitted
        }
      }
      #expect(admitted(1, [.request, .present]) == total / 2)
      #expect(admitted(2, [.request, .present]) == total / 2 - total / 10)
      #expect(admitted(3, [.request]) == 0)
      #expect(admitted(4, Role.all) == total / 10)
    }
  }

  @Test func `a configured total also limits each user to half of it`() {
    var limits = ConnectionLimits()
    limits.total = 20
    #expect((0..<30).count { _ in gate.enter(EmbeddedChannel(), peer(1), roles: [], limits: limits) == .admitted } == 10)
  }

  @Test func `closes only connections whose user lost a role`() throws {
    let open = try (0..<3).map { _ in
      let channel = EmbeddedChannel()
      try channel.connect(to: SocketAddress(unixDomainSocketPath: "/routerd")).wait()
      return channel
    }
    for (uid, channel) in open.enumerated() { #expect(enter(UInt32(uid), channel) == .admitted) }
    let closed = gate.closeDemoted { peer in
      switch peer.process.uid {
      case 0: [.request, .present]
      case 1: [.request]
      default: [.present]
      }
    }
    #expect(closed == 1)
    #expect(open.map(\.isActive) == [true, true, false])
    // The next reload revokes the roles granted by the previous one.
    #expect(gate.closeDemoted { $0.process.uid == 2 ? [.present] : [.request] } == 1)
    #expect(open.map(\.isActive) == [false, true, false])
  }
}
