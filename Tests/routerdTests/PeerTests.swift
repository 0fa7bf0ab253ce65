import Foundation
import Router
import Testing

@testable import routerd

struct PeerTests {
  @Test func `the other end of a socket is who it is`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let peer = try Peer(ofSocket: ends[0])
    #expect(peer.process == ProcessIdentity.current)
    var groups = [gid_t](repeating: 0, count: 65536)
    let count = getgroups(CInt(groups.count), &groups)
    #expect(peer.groups == Set(groups.prefix(Int(count))).union([getgid()]))
  }

  @Test func `what is no Unix socket has nobody at the other end`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(throws: RouterError.self) { try Peer(ofSocket: ends[0]) }
  }

  @Test func `a program that connects is known, and one that is gone is not taken for another`() throws {
    let directory = try TemporaryDirectory()
    let socket = try ListeningSocket(path: directory.file("s"))
    defer { close(socket.descriptor) }
    let curl = Process()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    curl.arguments = ["-s", "--unix-socket", socket.path, "http://routerd/"]
    try curl.run()
    let connection = accept(socket.descriptor, nil, nil)
    try #require(connection >= 0)
    defer { close(connection) }
    let peer = try Peer(ofSocket: connection)
    #expect(peer.process.executable == "/usr/bin/curl")
    #expect(peer.process.pid == curl.processIdentifier && peer.process.uid == geteuid())
    // A thread of the pool has SIGTERM blocked, and a child inherits that.
    kill(curl.processIdentifier, SIGKILL)
    curl.waitUntilExit()
    let gone = try Peer(ofSocket: connection)
    #expect(gone.process == ProcessIdentity(uid: geteuid(), gid: getegid(), pid: curl.processIdentifier))
  }
}
