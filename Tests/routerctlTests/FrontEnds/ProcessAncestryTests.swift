import Glibc
import Router
import Testing

@testable import routerctl

struct ProcessAncestryTests {
  @Test func `starts with the process itself and stops before process 1`() throws {
    let ancestry = ProcessAncestry(of: getpid())
    let own = try #require(ancestry.processes.first)
    #expect(own.pid == getpid())
    #expect(own.uid == getuid())
    #expect(own.name == ProcessIdentity.current.name)
    #expect(own.arguments == CommandLine.arguments)
    if getppid() > 1 { #expect(ancestry.processes.dropFirst().first?.pid == getppid()) }
    #expect(ancestry.processes.allSatisfy { $0.pid > 1 })
  }

  @Test func `is empty for a process that does not exist`() {
    // No process has Linux's largest id.
    #expect(ProcessAncestry(of: 1 << 22).processes.isEmpty)
    #expect(ProcessAncestry(of: 1 << 22).text.isEmpty)
  }

  @Test func `reads only regular files within the limit`() {
    #expect(SmallFile.text("/proc/self/status")?.contains("Pid:") == true)
    #expect(SmallFile.text("/proc/self/status", limit: 3) == nil)
    #expect(SmallFile.text("/proc/self/exe") == nil)
    #expect(SmallFile.text("/dev/null") == nil)
    #expect(SmallFile.text("/nowhere") == nil)
  }
}
