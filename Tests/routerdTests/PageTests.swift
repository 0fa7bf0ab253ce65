import Router
import RouterTesting
import TestSupport
import Testing

@testable import routerd

struct PageTests {
  @Test func `ends a page at the byte limit, with at least one item`() {
    let many = presentations(10).map { ($0, [0]) }
    let bytes = many[0].0.jsonText.bytes.count
    func count(_ maximumBytes: Int) -> Int {
      OpenPage(many, limit: 100, maximumBytes: maximumBytes).presentations.count
    }
    #expect(count(.max) == 10)
    #expect(count(bytes * 3) == 3)
    #expect(count(bytes * 3 + 1) == 4)
    #expect(count(1) == 1)
    #expect(OpenPage([], limit: 100).presentations.isEmpty)
  }

  @Test func `lists each prompt once while prompts end, arrive and move`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      var open = presentations(Int(random.next() % 40)).shuffled(using: &random)
      var stays = Set(open.map(\.id))
      var (listed, cursor) = ([PresentationID](), PresentationID?.none)
      repeat {
        let limit = 1 + Int(random.next() % 7)
        let next = open.enumerated().map { ($1, [$0]) }.filter { item in cursor.map { item.0.id > $0 } ?? true }
        let page = OpenPage(Array(next.sorted { $0.0.id < $1.0.id }.prefix(limit + 1)), limit: limit)
        let ids = try page.presentations.map { try Presentation(json: JSONValue(parsing: $0.bytes)).id }
        #expect(ids == open.map(\.id).filter(ids.contains), "a page is not in display order; seed \(seed)")
        listed += ids
        cursor = page.next
        // One ends, one arrives, and the queue changes.
        if let ended = open.popLast() { stays.remove(ended.id) }
        open = (open + presentations(1)).shuffled(using: &random)
      } while cursor != nil && listed.count < 1000
      #expect(Set(listed).count == listed.count, "a prompt is repeated; seed \(seed)")
      #expect(stays.isSubset(of: listed), "a prompt is missing; seed \(seed)")
    }
  }

  private let ids = PresentationIDGenerator()

  private func presentations(_ count: Int) -> [Presentation] {
    (0..<count).map { _ in
      Presentation(
        id: ids.next(at: Timestamp(milliseconds: 0)),
        requester: Presentation.Requester(app: "a", process: ProcessIdentity(uid: 0, gid: 0, pid: 1)),
        request: PresentationRequest(kind: .sheet), requestedAt: Timestamp(milliseconds: 0))
    }
  }
}
