import NIOCore
import NIOEmbedded
import Router
import Testing

@testable import routerd

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
    let small = ConnectionGate(descriptors: 130)
    let verdicts = (0..<3).map { _ in small.enter(EmbeddedChannel(), peer(1), roles: [], limits: ConnectionLimits()) }
    #expect(verdicts == [.admitted, .admitted, .turnedAway])
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
