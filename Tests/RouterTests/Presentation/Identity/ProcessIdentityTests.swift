import Glibc
import Testing

@testable import Router

struct ProcessIdentityTests {
  @Test func `a process that is there is looked up`() {
    let process = ProcessIdentity(uid: 7, gid: 8, lookingUp: getpid())
    #expect((process.uid, process.gid, process.pid) == (7, 8, getpid()))
    #expect(process.executable == ProcessIdentity.current.executable)
    #expect(process.unit == ProcessIdentity.current.unit)
  }

  @Test func `what is looked up of a process that is gone is not kept, whoever has its id now`() throws {
    // The descriptor of a process is readable when that has ended; so is a pipe with something in it.
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let running = ProcessIdentity(uid: 7, gid: 8, lookingUp: getpid(), pidfd: ends[0])
    #expect(running.executable != nil)
    try #require(write(ends[1], "x", 1) == 1)
    let gone = ProcessIdentity(uid: 7, gid: 8, lookingUp: getpid(), pidfd: ends[0])
    #expect(gone == ProcessIdentity(uid: 7, gid: 8, pid: getpid()))
    // Above every process' id (proc(5), pid_max).
    #expect(ProcessIdentity(uid: 7, gid: 8, lookingUp: (1 << 22) + 1).executable == nil)
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
