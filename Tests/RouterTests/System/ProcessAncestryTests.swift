import Glibc
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog
@testable import RouterSystem
@testable import RouterTerminal

struct ProcessAncestryTests {
  private func process(_ names: String..., shellScript: String? = nil) -> ProcessIdentity {
    let ancestry = names.enumerated().map { index, name in
      var ancestor = ProcessIdentity.Ancestor(
        pid: Int32(100 - index), started: 1, executable: "/usr/bin/" + name.replacing(" -c", with: ""),
        script: name == "bash" ? shellScript : nil)
      ancestor.runsCommand = name.hasSuffix(" -c")
      return ancestor
    }
    return ProcessIdentity(uid: 1, gid: 1, pid: 100, executable: "/usr/bin/" + (names.first ?? ""), ancestry: ancestry)
  }

  @Test func `starts with the process itself and its parent`() throws {
    let ancestry = ProcessIdentity(uid: 7, gid: 8, lookingUp: getpid()).ancestry ?? []
    #expect(ancestry.map(\.pid).prefix(2) == [getpid(), getppid()])
    #expect(ancestry.count <= ProcessIdentity.Ancestor.limit)
    #expect(ancestry.first?.executable == ProcessIdentity.current.executable)
    for (child, parent) in zip(ancestry, ancestry.dropFirst()) { #expect(parent.started <= child.started) }
    // The second lookup comes from the cache.
    #expect(ProcessIdentity(uid: 7, gid: 8, lookingUp: getpid()).ancestry == ancestry)
  }

  @Test func `names the user of an ancestor only where it differs`() {
    let own = ProcessIdentity.current.ancestry ?? []
    #expect(own.prefix(2).allSatisfy { $0.uid == nil })
    let other = ProcessIdentity(uid: 70_000, gid: 1, lookingUp: getpid()).ancestry ?? []
    #expect(other.dropFirst().first?.uid == geteuid())
  }

  @Test func `translates pids of a container, where namespaces nest`() {
    let status = ProcessStatus(Array("Name:\tx\nPPid:\t1\nUid:\t1000\t0\t0\t0\nNSpid:\t4711\t12\t1\n".utf8))
    #expect(status?.uid == 0)
    #expect(status?.pids == [4711, 12, 1])
    #expect(ProcessStatus(Array("Name:\tx\n".utf8)) == nil)
    // This process is in its own namespace, where a pid is what it is.
    #expect(ProcessIdentity.current.ancestor(knownAs: 1) == 1)
    #expect(ProcessIdentity.current.ancestor(knownAs: 4711) == 4711)
  }

  @Test func `records the working directory`() {
    #expect(ProcessIdentity.current.directory?.hasPrefix("/") == true)
  }

  @Test(
    arguments: [
      (["/x/deploy.sh", "a"], true, "/x/deploy.sh"), (["-e", "./deploy.sh"], true, "./deploy.sh"), (["-c", "rm x"], true, nil),
      (["-ec", "rm x"], true, nil), (["--norc", "deploy.sh"], true, "deploy.sh"), ([], true, nil), (["-i"], true, nil),
      (["-u", "tool.py"], false, "tool.py"), (["-m", "http.server"], false, nil), (["-e", "print"], false, nil),
      (["-"], false, nil), (["/dev/fd/3"], true, nil), ([""], true, nil),
    ] as [([String], Bool, String?)])
  func `takes the first non-option argument as the script`(arguments: [String], isShell: Bool, script: String?) {
    #expect(ProcessTree.script(in: arguments, isShell: isShell) == script)
    #expect(!isShell || ProcessTree.runsCommand(arguments) == arguments.contains("rm x"))
  }

  @Test func `omits routerctl and the init process from the call chain`() {
    #expect(process("routerctl", "git", "bash", "tmux", shellScript: "/x/deploy.sh").callChain == "git ← deploy.sh ← tmux")
    #expect(process("git", "bash", "bash", "git").callChain == "git ← bash ← git")
    #expect(process("routerctl").callChain == nil)
    #expect(process("routerctl", "a ← sudo").callChain == "a ? sudo")
    var child = process("routerctl", "systemd")
    child.ancestry?[1].pid = 1
    #expect(child.callChain == nil)
  }

  @Test func `marks a program of another namespace in the call chain`() {
    var process = process("curl", "sudo", "sudo", "tmux")
    process.ancestry?[1].executableDoubt = .otherNamespace
    process.ancestry?[3].executableDoubt = .deleted
    #expect(process.callChain == "curl ← sudo (in another namespace) ← sudo ← tmux")
  }

  @Test func `does not confuse an unknown ancestry with one that has no other process`() throws {
    let agent = ProcessIdentity.Ancestor(pid: 5, started: 1)
    #expect(ProcessIdentity(uid: 1, gid: 1, pid: 9).mayDescend(from: agent))
    #expect(ProcessIdentity(uid: 1, gid: 1, pid: 9, ancestry: []).ancestry == nil)
    let json = try JSONValue(parsing: #"{"uid":1,"gid":2,"pid":3,"executable":null,"presenter":null,"ancestry":[]}"#)
    #expect(try Presentation.Responder(json: json, at: "").process.mayDescend(from: agent))
    let alone = ProcessIdentity(uid: 1, gid: 1, pid: 9, ancestry: [ProcessIdentity.Ancestor(pid: 9, started: 2)])
    #expect(!alone.mayDescend(from: agent))
  }

  @Test func `derives the app name from the calling program or script`() {
    #expect(process("routerctl", "git", "bash").callerName == "git")
    #expect(process("routerctl", "sh -c", "make", "bash").callerName == "make")
    #expect(process("routerctl", "timeout", "sudo", "bash", "tmux").callerName == "bash")
    #expect(process("routerctl", "xargs", "find", "deploy").callerName == "deploy")
    #expect(process("routerctl", "bash -c", "sshd-session").callerName == "bash")
    #expect(process("routerctl", "bash", "make", shellScript: "./deploy x.sh").callerName == "deployx.sh")
    #expect(process("routerctl", "bash", "systemd").callerName == "bash")
    #expect(process("routerctl", "systemd").callerName == "routerctl")
    #expect(process("curl", "bash").callerName == "curl")
    #expect(ProcessIdentity(uid: 1, gid: 1, pid: 1, executable: "/bin/x").callerName == "x")
    #expect(process("routerctl", "bash", shellScript: "..").callerName == "routerctl")
  }

  @Test func `round-trips an ancestry`() throws {
    var process = process("git", "bash", shellScript: "a.sh")
    process.directory = "/home/ada"
    process.ancestry?.append(ProcessIdentity.Ancestor(pid: 1, started: 0, command: "init", unit: "init.scope"))
    process.ancestry?[0].executableDoubt = .deleted
    process.ancestry?[1].runsCommand = true
    let requester = Presentation.Requester(app: "a", process: process)
    #expect(try Presentation.Requester(json: requester.json) == requester)
    let text = try #require(process.ancestryText)
    #expect(try ProcessIdentity.ancestry(json: text.value) == process.ancestry)
    #expect(Presentation.Requester(app: "a", process: ProcessIdentity(uid: 1, gid: 1, pid: 1)).json["ancestry"] == nil)
  }
}
