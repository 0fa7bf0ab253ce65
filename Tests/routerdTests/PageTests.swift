import Router
import Testing

@testable import routerd

struct PageTests {
  @Test func `ends a page at the byte limit, with at least one item`() {
    let presentation = Presentation(
      id: PresentationIDGenerator().next(at: Timestamp(milliseconds: 0)),
      requester: Requester(app: "a", process: ProcessIdentity(uid: 0, gid: 0, pid: 1)),
      request: PresentationRequest(kind: .sheet), requestedAt: Timestamp(milliseconds: 0))
    let bytes = presentation.jsonText.bytes.count
    let many = Array(repeating: presentation, count: 10)
    #expect(PresentationRoutes.page(many).count == 10)
    #expect(PresentationRoutes.page(many, maximumBytes: bytes * 3).count == 3)
    #expect(PresentationRoutes.page(many, maximumBytes: bytes * 3 + 1).count == 4)
    #expect(PresentationRoutes.page(many, maximumBytes: 1).count == 1)
    #expect(PresentationRoutes.page([]).isEmpty)
  }
}
