import RouterCore
import Testing

struct PresentationSummaryTests {
  private func summary(_ title: String, _ command: String?) -> PresentationSummary {
    var request = PresentationRequest(kind: .alert, title: title)
    request.attachments = command.map { [PresentationRequest.Attachment(.diff, "+a"), .init(.command, $0)] } ?? []
    return PresentationSummary(request)
  }

  @Test(
    arguments: [
      ("Deploy?", "make deploy", "make deploy"), ("Deploy?", "\n  make deploy\nmake test", "make deploy"),
      ("Run make deploy?", "make deploy", nil), ("Run cd /srv/shop && …?", "cd /srv/shop && make deploy", nil),
      ("Deploy?", nil, nil), ("Deploy?", " \n", nil),
    ] as [(String, String?, String?)])
  func `names the command that the title does not contain`(title: String, command: String?, expected: String?) {
    let summary = summary(title, command)
    #expect(summary.command == expected)
    #expect(summary.text == title + (expected.map { " · \($0)" } ?? ""))
  }

  @Test(
    arguments: [
      ("Write src/shop.ts?", nil), ("Write /home/ada/shop/src/shop.ts?", nil), ("Apply?", "/home/ada/shop/src/shop.ts"),
    ] as [(String, String?)])
  func `knows a file that the title names as its directory sees it`(title: String, expected: String?) {
    var request = PresentationRequest(kind: .alert, title: title)
    request.act = Act("Write", object: "/home/ada/shop/src/shop.ts", directory: "/home/ada/shop")
    #expect(PresentationSummary(request).command == expected)
  }

  @Test func `has the sheet's name if there is no title`() {
    #expect(PresentationSummary(PresentationRequest(kind: .sheet, sheet: "contact")).text == "contact")
  }
}
