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

  @Test func `names the hosts of a shared surface`() throws {
    let json = try JSONValue(
      parsing:
        #"{"seq":7,"at":"2026-11-27T08:00:00.000Z","type":"dismissed","detail":{"by":{"uid":1000,"host":"beta"}},"hash":"00"}"#)
    let asker = ProcessIdentity(uid: 1001, gid: 1001, pid: 9, host: "gamma")
    let asked = JournalEntry.Asked(
      Presentation.Requester(app: "deploy", process: asker), PresentationRequest(kind: .alert, title: "Deploy?"))
    let text = String(decoding: JournalEntry(try ChainedEvent(json: json), asked: asked).bytes, as: UTF8.self)
    #expect(text.hasPrefix("MESSAGE=deploy (uid 1001 on gamma) on main: dismissed by uid 1000 on beta\n"))
    #expect(text.contains("\nROUTER_HOST=gamma\n") && text.contains("\nROUTER_BY_HOST=beta\n"))
  }
}
