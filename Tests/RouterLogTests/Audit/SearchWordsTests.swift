import RouterCore
import RouterLog
import Testing

struct SearchWordsTests {
  private func found(_ search: String, _ text: String) throws -> [String] {
    try #require(SearchWords(search)).ranges(in: text).map { String(text[$0]) }
  }

  @Test(arguments: [
    ("deploy", "Deploy to production, redeploy, deploys", ["Deploy"]),
    ("deplo*", "Deploy deploys", ["Deploy", "deploys"]), ("*ploy", "redeployed", ["ploy"]),
    ("\"roll back\"", "Roll back? rolled back, roll-back", ["Roll back", "roll-back"]),
    ("back roll", "roll it back", ["roll", "back"]),
    ("cafe", "Im Café", ["Café"]), ("cafe", "cafe\u{301}", ["cafe\u{301}"]), ("now_or", "now_or later", ["now_or"]),
    ("x", "", []), ("*x", "", []), ("a *a", "a", ["a"]),
  ])
  func `finds what the log's search finds`(search: String, text: String, expected: [String]) throws {
    #expect(try found(search, text) == expected)
  }

  @Test func `returns the line that has the word, from shortly before it`() throws {
    var request = PresentationRequest(
      kind: .alert, title: "Deploy?", message: "First line.\nThen the rest of the line is npm test.\nEnd")
    request.attachments = [PresentationRequest.Attachment(.command, "make deploy")]
    let asked = Presentation(
      id: PresentationID("01936f5e-1b2c-7def-8a90-112233445566")!,
      requester: Presentation.Requester(app: "a", process: ProcessIdentity(uid: 0, gid: 0, pid: 1)), request: request,
      requestedAt: Timestamp(milliseconds: 0))
    #expect(SearchWords("npm")?.passage(of: asked, after: 20) == "…rest of the line is npm test.")
    #expect(SearchWords("first")?.passage(of: asked, after: 20) == "First line.")
    #expect(SearchWords("make")?.passage(of: asked, after: 20) == "make deploy")
    #expect(SearchWords("nothing")?.passage(of: asked, after: 20) == nil)
    #expect(SearchWords("\"open") == nil)
  }
}
