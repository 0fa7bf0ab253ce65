import Foundation
import Testing

@testable import RouterFrontEnds
@testable import routerctl

/// Whose daemon `pam-confirm` believes, by the folders of its socket.
/// Promise P50.
@Suite(.enabled(if: geteuid() == 0, "only root can give folders to other users"))
struct TrustedListenersTests {
  /// A path `…/a/b/s` whose last part is a socket.
  private final class Folders {
    let root = FileManager.default.temporaryDirectory.appending(path: "trusted-\(UUID().uuidString.prefix(8))").path
    var socket: String { root + "/a/b/s" }

    init() throws {
      try FileManager.default.createDirectory(atPath: root + "/a/b", withIntermediateDirectories: true)
      try set("", 0, 0o755)
      try set("/a", 0, 0o755)
      try set("/a/b", 0, 0o755)
      try #require(mknod(socket, S_IFSOCK | 0o666, 0) == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func set(_ path: String, _ owner: uid_t, _ mode: mode_t) throws {
      try #require(chown(root + path, owner, 0) == 0 && chmod(root + path, mode) == 0)
    }

    func link(_ path: String, to target: String, owner: uid_t = 0) throws {
      try #require(symlink(target, root + path) == 0 && lchown(root + path, owner, 0) == 0)
    }
  }

  private func users(_ path: String, parties: Set<UInt32> = [1000]) -> Set<UInt32>? {
    try? TrustedListeners(at: path, parties: parties).users
  }

  @Test func `trusts root and the system user who owns the folder`() throws {
    let folders = try Folders()
    #expect(users(folders.socket) == [0])
    try folders.set("/a/b", 998, 0o750)
    #expect(users(folders.socket) == [0, 998])
    try folders.set("/a", 998, 0o755)
    #expect(users(folders.socket) == [0, 998])
    // A missing socket is a daemon that does not run.
    #expect(users(folders.root + "/a/b/missing") == [0, 998])
  }

  @Test(arguments: [1000, 60041, 65534] as [uid_t])
  func `does not trust a folder of a person`(owner: uid_t) throws {
    let folders = try Folders()
    for path in ["/a/b", "/a", ""] {
      try folders.set(path, owner, 0o755)
      #expect(users(folders.socket) == nil, "\(path)")
      try folders.set(path, 0, 0o755)
    }
  }

  @Test func `does not trust a system user who asks or gains`() throws {
    let folders = try Folders()
    try folders.set("/a/b", 998, 0o755)
    #expect(users(folders.socket, parties: [1000, 998]) == nil)
    // Another system user's folder above it.
    try folders.set("/a", 997, 0o755)
    #expect(users(folders.socket) == nil)
  }

  @Test(arguments: [0o775, 0o757, 0o777, 0o1777, 0o1775] as [mode_t])
  func `does not trust a socket's folder that others may write`(mode: mode_t) throws {
    let folders = try Folders()
    try folders.set("/a/b", 0, mode)
    #expect(users(folders.socket) == nil)
  }

  @Test func `trusts what these users own in a sticky folder, and nothing in another open one`() throws {
    let folders = try Folders()
    for path in ["/a", ""] {
      try folders.set(path, 0, 0o1777)
      #expect(users(folders.socket) == [0], "\(path)")
      try folders.set(path, 0, 0o777)
      #expect(users(folders.socket) == nil, "\(path)")
      try folders.set(path, 0, 0o755)
    }
    try folders.set("", 0, 0o1777)
    try folders.set("/a", 1000, 0o755)
    #expect(users(folders.socket) == nil)
  }

  @Test func `follows links, and trusts none that another user made or could replace`() throws {
    let folders = try Folders()
    try folders.link("/link", to: folders.root + "/a")
    #expect(users(folders.root + "/link/b/s") == [0])
    try folders.link("/a/up", to: "../a/./b")
    #expect(users(folders.root + "/link/up/s") == [0])
    // ".." after a link means the folder above its target.
    try folders.set("/a", 0, 0o777)
    #expect(users(folders.root + "/link/../a/b/s") == nil)
    try folders.set("/a", 0, 0o755)
    try folders.set("", 0, 0o1777)
    try folders.link("/other", to: folders.root + "/a", owner: 1000)
    #expect(users(folders.root + "/other/b/s") == nil)
    #expect(users(folders.root + "/link/b/s") == [0])
    try folders.link("/loop", to: "loop")
    #expect(users(folders.root + "/loop/b/s") == nil)
  }

  @Test func `refuses a path that is not a socket's, or not absolute`() throws {
    let folders = try Folders()
    try folders.link("/a/b/link", to: "s")
    #expect(users(folders.root + "/a/b/link") == nil)
    #expect(users(folders.root + "/a/b") == nil)
    #expect(users("routerd.sock") == nil)
    #expect(users(folders.root + "/nowhere/s") == nil)
    #expect(users("/routerd.sock") == [0])
  }
}
