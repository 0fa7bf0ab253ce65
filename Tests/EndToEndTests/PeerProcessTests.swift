import Glibc
import Router
import TestSupport
import Testing

@testable import routerd

struct PeerProcessTests {
  @Test func `identifies a connected program, and does not confuse an ended one with another`() async throws {
    let directory = try TemporaryDirectory()
    let socket = try ListeningSocket(path: directory.file("s"))
    defer { close(socket.descriptor) }
    let curl = try ChildProcess("/usr/bin/curl", ["-s", "--unix-socket", socket.path, "http://routerd/"])
    let connection = accept(socket.descriptor, nil, nil)
    try #require(connection >= 0)
    defer { close(connection) }
    let peer = try Peer(userOfSocket: connection).identified(onSocket: connection)
    #expect(peer.process.executable == "/usr/bin/curl")
    #expect(peer.process.pid == curl.pid && peer.process.uid == geteuid())
    curl.signal(SIGKILL)
    await curl.expectExit(128 + SIGKILL)
    let gone = try Peer(userOfSocket: connection).identified(onSocket: connection)
    #expect(gone.process == ProcessIdentity(uid: geteuid(), gid: getegid(), pid: curl.pid))
  }
}
