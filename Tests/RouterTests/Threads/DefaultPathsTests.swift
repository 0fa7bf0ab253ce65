import Foundation
import Router
import TestSupport
import Testing

/// Which files the daemon and the tools use by default.
struct DefaultPathsTests {
  private let directory: TemporaryDirectory
  private let own = geteuid()
  private let other: uid_t = 60001
  private var home: String { directory.path + "/home" }
  private var run: String { directory.path + "/run" }
  private var state: String { home + "/.local/state/routerd" }

  init() throws {
    directory = try TemporaryDirectory()
    try make(run)
    try make(home)
  }

  private func make(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Paths in this test's `/run`, for a user who is not root. `own` is only root's number where root runs the tests.
  private func paths(_ environment: [String: String], uid: uid_t? = nil) -> DefaultPaths {
    DefaultPaths(environment: environment, uid: uid ?? own, run: run)
  }

  @Test func `a session's socket is in the runtime directory`() throws {
    try make(run + "/session")
    let paths = paths(["XDG_RUNTIME_DIR": run + "/session", "HOME": home])
    #expect(paths.socket == run + "/session/routerd/routerd.sock")
    #expect(paths.sockets == [paths.socket, state + "/routerd.sock"])
    #expect(paths.database == state + "/routerd.db")
    #expect(paths.configuration == home + "/.config/routerd/routerd.yaml")
  }

  @Test func `a daemon leaves traces: a socket, its lock, or the log's directory`() throws {
    func leaves(_ socket: String? = nil, named: String = "") -> Bool {
      paths(["ROUTERD_SOCKET": named, "HOME": home, "XDG_RUNTIME_DIR": run]).hasTraces(of: socket)
    }
    let socket = directory.path + "/s"
    #expect(!leaves() && !leaves(socket))
    try make(state)
    #expect(leaves() && !leaves(socket) && !leaves(named: socket))
    try make(socket + ".lock")
    #expect(leaves(socket) && leaves(named: socket))
  }

  @Test func `a named socket is the only one`() {
    let paths = paths(["ROUTERD_SOCKET": "/named", "HOME": home])
    #expect(paths.socket == "/named" && paths.sockets == ["/named"] && paths.socketToUse == "/named")
  }

  @Test(.enabled(if: geteuid() == 0, "another user's directories need root"))
  func `without XDG_RUNTIME_DIR, the user's directory in run is used if it is there`() throws {
    let runtime = "\(run)/user/\(other)"
    #expect(paths(["HOME": "/nonexistent"], uid: other).runtime == nil)
    try make(runtime)
    #expect(paths(["HOME": "/nonexistent"], uid: other).runtime == nil, "it belongs to root")
    #expect(chown(runtime, other, other) == 0)
    #expect(paths(["HOME": "/nonexistent"], uid: other).socket == runtime + "/routerd/routerd.sock")
    // `su` keeps the variable of another user.
    #expect(paths(["XDG_RUNTIME_DIR": run, "HOME": "/nonexistent"], uid: other).runtime == runtime)
  }

  @Test func `without a runtime directory, the socket is beside the log`() {
    let paths = paths(["HOME": home], uid: other)
    #expect(paths.socket == state + "/routerd.sock" && paths.unsafeDirectory == nil)
    #expect(paths.sockets == [paths.socket, run + "/routerd/routerd.sock"])
    #expect(self.paths(["HOME": home, "XDG_STATE_HOME": "/s"], uid: other).socket == "/s/routerd/routerd.sock")
  }

  @Test func `tools use the first socket that exists, and the log beside it`() throws {
    let before = paths(["HOME": home], uid: other)
    #expect(before.socketToUse == state + "/routerd.sock" && before.databaseToUse == state + "/routerd.db")
    try make(run + "/routerd")
    #expect(FileManager.default.createFile(atPath: run + "/routerd/routerd.sock", contents: nil))
    #expect(before.socketToUse == run + "/routerd/routerd.sock" && before.databaseToUse == "/var/lib/routerd/routerd.db")
    try make(state)
    #expect(FileManager.default.createFile(atPath: state + "/routerd.sock", contents: nil))
    #expect(before.socketToUse == state + "/routerd.sock" && before.databaseToUse == state + "/routerd.db")
  }

  @Test(.enabled(if: geteuid() == 0, "another user's directories need root"))
  func `a directory of another user's, open to others, or behind a link is not used`() throws {
    try make(state)
    #expect(paths(["HOME": home], uid: other).unsafeDirectory == state, "root's")
    #expect(paths(["HOME": home], uid: other).sockets == [run + "/routerd/routerd.sock"])
    #expect(chown(state, other, other) == 0)
    #expect(paths(["HOME": home], uid: other).unsafeDirectory == nil)
    #expect(chmod(state, 0o770) == 0)
    #expect(paths(["HOME": home], uid: other).unsafeDirectory == state, "open to the group")
    #expect(chmod(state, 0o700) == 0)
    try FileManager.default.moveItem(atPath: state, toPath: state + "-moved")
    try FileManager.default.createSymbolicLink(atPath: state, withDestinationPath: state + "-moved")
    #expect(paths(["HOME": home], uid: other).unsafeDirectory == state, "a link")
  }

  @Test(arguments: [(uid_t(0), ""), (60001, "/routerd")])
  func `root and the system unit use the system's files`(uid: uid_t, unit: String) {
    let paths = paths(["HOME": home, "RUNTIME_DIRECTORY": run + unit], uid: uid)
    #expect(paths.sockets == [run + "/routerd/routerd.sock"])
    #expect(paths.database == "/var/lib/routerd/routerd.db" && paths.configuration == "/etc/routerd/routerd.yaml")
  }
}
