import Dispatch
import Glibc
import Router
import RouterSystem
import TestSupport
import Testing

struct LockHolderTests {
  @Test func `finds the holder while other locks come and go`() throws {
    let directory = try TemporaryDirectory()
    let files = (0...200).map { open(directory.file("\($0)"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    let (stop, stopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try #require(flock(files[0], LOCK_EX | LOCK_NB) == 0)
    try Thread.start {
      while stop.wait(timeout: .now()) == .timedOut {
        for file in files.dropFirst() { flock(file, LOCK_EX) }
        for file in files.dropFirst() { flock(file, LOCK_UN) }
      }
      stopped.signal()
    }
    // One attempt may miss it; on a busy machine, ten in a row have.
    for _ in 0..<300 { #expect(LockHolder.description(of: files[0]).hasSuffix("(pid \(getpid()))")) }
    stop.signal()
    stopped.wait()
    for file in files { close(file) }
  }

  @Test func `finds the holder of a lock by the file's device and inode`() {
    let locks = """
      1: POSIX  ADVISORY  WRITE 8 fe:00:77 0 EOF
      2: FLOCK  ADVISORY  WRITE 9 08:01:77 0 EOF
      3: FLOCK  ADVISORY  WRITE 10 fe:00:77 0 EOF
      3: -> FLOCK  ADVISORY  WRITE 11 fe:00:77 0 EOF
      """
    #expect(LockHolder.pid(in: locks, inode: 77, device: 0xFE00) == 10)
    #expect(LockHolder.pid(in: locks, inode: 77, device: 0x801) == 9)
    #expect(LockHolder.pid(in: locks, inode: 78, device: 0xFE00) == nil)
    #expect(LockHolder.pid(in: locks, inode: 77, device: 0x10_FE00) == nil)
  }
}
