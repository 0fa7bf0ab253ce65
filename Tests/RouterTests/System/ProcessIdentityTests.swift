import Glibc
import Router
import Testing

struct ProcessIdentityTests {
  @Test func `looks up a running process`() {
    let process = ProcessIdentity(uid: 7, gid: 8, lookingUp: getpid())
    #expect((process.uid, process.gid, process.pid) == (7, 8, getpid()))
    #expect(process.executable == ProcessIdentity.current.executable)
    #expect(process.unit == ProcessIdentity.current.unit)
  }

  @Test func `discards the lookup if the process has exited, because its id may be reused`() throws {
    // A pidfd becomes readable when its process exits. A pipe with data in it stands in for one.
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let running = ProcessIdentity(uid: 7, gid: 8, lookingUp: getpid(), pidfd: ends[0])
    #expect(running.executable != nil)
    try #require(write(ends[1], "x", 1) == 1)
    let gone = ProcessIdentity(uid: 7, gid: 8, lookingUp: getpid(), pidfd: ends[0])
    #expect(gone == ProcessIdentity(uid: 7, gid: 8, pid: getpid()))
    // Above the largest possible process id (proc(5), pid_max).
    #expect(ProcessIdentity(uid: 7, gid: 8, lookingUp: (1 << 22) + 1).executable == nil)
  }

  @Test func `identifies the current process`() {
    #expect(ProcessIdentity.current.pid == getpid())
    #expect(ProcessIdentity.current.executable?.hasPrefix("/") == true)
  }

  @Test func `encodes and decodes the unit, and omits it if there is none`() throws {
    let process = ProcessIdentity(uid: 1, gid: 2, pid: 3, executable: "/bin/x", unit: "deploy.service")
    let requester = Presentation.Requester(app: "a", process: process)
    #expect(requester.json["unit"] == "deploy.service")
    #expect(try Presentation.Requester(json: requester.json, at: "") == requester)
    let resolver = Presentation.Responder(process: process, presenter: "p")
    #expect(try Presentation.Responder(json: resolver.json, at: "") == resolver)
    #expect(Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 2, pid: 3)).json["unit"] == nil)
  }

  @Test(arguments: ProcessIdentity.ExecutableDoubt.allCases)
  func `encodes and decodes a doubt about the executable, and shows it with the path`(doubt: ProcessIdentity.ExecutableDoubt)
    throws
  {
    let process = ProcessIdentity(uid: 1, gid: 2, pid: 3, executable: "/bin/x", executableDoubt: doubt)
    let requester = Presentation.Requester(app: "a", process: process)
    #expect(requester.json["executableDoubt"] == .string(doubt.rawValue))
    #expect(requester.json["executable"] == "/bin/x")
    #expect(try Presentation.Requester(json: requester.json, at: "") == requester)
    #expect(process.program == "/bin/x (\(doubt.words))")
    #expect(ProcessIdentity(uid: 1, gid: 2, pid: 3).program == nil)
    let unknown = try JSONValue(parsing: #"{"app":"a","uid":1,"gid":2,"pid":3,"executableDoubt":"none"}"#)
    #expect(throws: JSONError.self) { try Presentation.Requester(json: unknown, at: "") }
  }

  @Test func `reads records without a unit and records with unknown fields`() throws {
    let old = try JSONValue(parsing: #"{"app":"a","uid":1,"gid":2,"pid":3,"executable":null}"#)
    #expect(try Presentation.Requester(json: old, at: "").process == ProcessIdentity(uid: 1, gid: 2, pid: 3))
    let new = try JSONValue(parsing: #"{"uid":1,"gid":2,"pid":3,"executable":null,"presenter":null,"seat":"seat0"}"#)
    #expect(try Presentation.Responder(json: new, at: "").process == ProcessIdentity(uid: 1, gid: 2, pid: 3))
  }
}
