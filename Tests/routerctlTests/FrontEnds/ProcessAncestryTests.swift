import Glibc
import Router
import Testing

@testable import routerctl

struct ProcessAncestryTests {
  @Test func `the ancestry of a process begins with it, and ends below process 1`() throws {
    let ancestry = ProcessAncestry(of: getpid())
    let own = try #require(ancestry.processes.first)
    #expect(own.pid == getpid())
    #expect(own.uid == getuid())
    #expect(own.name == ProcessIdentity.current.name)
    #expect(own.arguments == CommandLine.arguments)
    if getppid() > 1 { #expect(ancestry.processes.dropFirst().first?.pid == getppid()) }
    #expect(ancestry.processes.allSatisfy { $0.pid > 1 })
  }

  @Test func `a process that is not there has none`() {
    // No process has the largest id that Linux knows.
    #expect(ProcessAncestry(of: 1 << 22).processes.isEmpty)
    #expect(ProcessAncestry(of: 1 << 22).text.isEmpty)
  }

  @Test func `only a regular file within the limit is read`() {
    #expect(SmallFile.text("/proc/self/status")?.contains("Pid:") == true)
    #expect(SmallFile.text("/proc/self/status", limit: 3) == nil)
    #expect(SmallFile.text("/proc/self/exe") == nil)
    #expect(SmallFile.text("/dev/null") == nil)
    #expect(SmallFile.text("/nowhere") == nil)
  }
}
