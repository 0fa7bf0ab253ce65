import Foundation
import Router
import Testing

@testable import routerd

struct PeerTests {
  @Test func `identifies the process at the other end of a socket`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let peer = try Peer(userOfSocket: ends[0]).identified(onSocket: ends[0])
    #expect(peer.process == ProcessIdentity.current)
    var groups = [gid_t](repeating: 0, count: 65536)
    let count = getgroups(CInt(groups.count), &groups)
    #expect(peer.groups == Set(groups.prefix(Int(count))).union([getgid()]))
  }

  @Test func `rejects a descriptor that is not a Unix socket`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(throws: RouterError.self) { try Peer(userOfSocket: ends[0]) }
  }
}
