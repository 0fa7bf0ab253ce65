import Router
import Testing

@testable import routerd

struct JournalEntryTests {
  @Test func `a value with a line break cannot begin another field`() {
    var entry = JournalEntry()
    entry.add("MESSAGE", "one")
    entry.add("ROUTER_APP", "a\nPRIORITY=0")
    entry.add("ROUTER_SURFACE", ifPresent: nil)
    entry.add("ROUTER_UID", "1=2")
    let length: [UInt8] = [12, 0, 0, 0, 0, 0, 0, 0]
    #expect(
      entry.bytes == Array("MESSAGE=one\nROUTER_APP\n".utf8) + length + Array("a\nPRIORITY=0\nROUTER_UID=1=2\n".utf8))
  }
}
