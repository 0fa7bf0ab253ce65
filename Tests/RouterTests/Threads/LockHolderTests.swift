import Router
import Testing

struct LockHolderTests {
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
