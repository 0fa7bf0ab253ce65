import Glibc
import Router
import Testing

@testable import RouterFrontEnds
@testable import routerctl

struct ProcessAncestryTests {
  @Test func `starts with the process itself and stops before process 1`() throws {
    let ancestry = ProcessAncestry(of: getpid())
    let own = try #require(ancestry.processes.first)
    #expect(own.pid == getpid())
    #expect(own.uid == getuid())
    #expect(own.name == ProcessIdentity.current.name)
    #expect(own.arguments == CommandLine.arguments.map { Array($0.utf8) })
    #expect(ancestry.isWhole)
    if getppid() > 1 { #expect(ancestry.processes.dropFirst().first?.pid == getppid()) }
    #expect(ancestry.processes.allSatisfy { $0.pid > 1 })
  }

  @Test func `is not whole for a process that does not exist`() {
    // No process has Linux's largest id.
    #expect(ProcessAncestry(of: 1 << 22) == ProcessAncestry([], isWhole: false))
    #expect(ProcessAncestry(of: 1 << 22).text == "a process that cannot be seen")
  }

  @Test(
    arguments: [
      ("", nil), ("\0", [""]), ("a\0", ["a"]), ("a\0\0b\0", ["a", "", "b"]), ("a\0\0", ["a", ""]),
      // Written over by the process, as setproctitle(3) does.
      ("sshd: ada", ["sshd: ada"]),
    ] as [(String, [String]?)])
  func `reads a command line without losing a part`(text: String, words: [String]?) {
    #expect(ProcessAncestry.Process.arguments(Array(text.utf8)) == words?.map { Array($0.utf8) })
  }

  @Test func `reads only regular files within the limit`() {
    #expect(SmallFile.text("/proc/self/status")?.contains("Pid:") == true)
    #expect(SmallFile.text("/proc/self/status", limit: 3) == nil)
    #expect(SmallFile.text("/proc/self/exe") == nil)
    #expect(SmallFile.text("/dev/null") == nil)
    #expect(SmallFile.text("/nowhere") == nil)
  }
}
