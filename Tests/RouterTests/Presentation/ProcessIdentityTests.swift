import Foundation
import Testing

@testable import Router

struct ProcessIdentityTests {
  /// A process that reads its standard input until that is closed.
  private func withChild(_ body: (pid_t, () -> Void) throws -> Void) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/cat")
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var isOver = false
    func end() {
      guard !isOver else { return }
      isOver = true
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
    defer { end() }
    try body(process.processIdentifier, end)
  }

  @Test func `a process that is there is looked up`() throws {
    try withChild { pid, _ in
      let process = ProcessIdentity(uid: 7, gid: 8, lookingUp: pid)
      #expect((process.uid, process.gid, process.pid) == (7, 8, pid))
      // Of a child that is between fork and exec it would be this program.
      #expect(process.executable != nil)
    }
  }

  @Test func `what is looked up of a process that is gone is not kept, whoever has its id now`() throws {
    // What stands for the descriptor of a process is readable when that has ended; so is a pipe without a writer.
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let running = ProcessIdentity(uid: 7, gid: 8, lookingUp: getpid(), pidfd: ends[0])
    #expect(running.executable != nil)
    close(ends[1])
    let gone = ProcessIdentity(uid: 7, gid: 8, lookingUp: getpid(), pidfd: ends[0])
    #expect(gone == ProcessIdentity(uid: 7, gid: 8, pid: getpid()))
    try withChild { pid, end in
      end()
      #expect(ProcessIdentity(uid: 7, gid: 8, lookingUp: pid).executable == nil)
    }
  }

  @Test func `this process knows itself`() {
    #expect(ProcessIdentity.current.pid == getpid())
    #expect(ProcessIdentity.current.executable?.hasPrefix("/") == true)
  }

  @Test func `a unit is written where there is one, and read where it is written`() throws {
    let process = ProcessIdentity(uid: 1, gid: 2, pid: 3, executable: "/bin/x", unit: "deploy.service")
    let requester = Requester(app: "a", process: process)
    #expect(requester.json["unit"] == "deploy.service")
    #expect(try Requester(json: requester.json, at: "") == requester)
    let resolver = Resolver(process: process, presenter: "p")
    #expect(try Resolver(json: resolver.json, at: "") == resolver)
    #expect(Resolver(process: ProcessIdentity(uid: 1, gid: 2, pid: 3)).json["unit"] == nil)
  }

  @Test func `what was written without a unit, and what a newer program writes, is read`() throws {
    let old = try JSONValue(parsing: #"{"app":"a","uid":1,"gid":2,"pid":3,"executable":null}"#)
    #expect(try Requester(json: old, at: "").process == ProcessIdentity(uid: 1, gid: 2, pid: 3))
    let new = try JSONValue(parsing: #"{"uid":1,"gid":2,"pid":3,"executable":null,"presenter":null,"seat":"seat0"}"#)
    #expect(try Resolver(json: new, at: "").process == ProcessIdentity(uid: 1, gid: 2, pid: 3))
  }
}
