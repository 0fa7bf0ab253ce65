import Testing

@testable import RouterCore

struct PresentationAttachmentTests {
  private func request(_ attachments: [PresentationRequest.Attachment]) throws -> PresentationRequest {
    var request = PresentationRequest(kind: .alert, title: "Run it?")
    request.attachments = attachments
    return try PresentationRequest(json: request.json)
  }

  @Test func `an attachment may hold what a message must not`() throws {
    let text = "rm \u{202E}x\u{0}\u{1B}[2J\t\r\n"
    #expect(try request([PresentationRequest.Attachment(.command, text, title: "As root")]).attachments[0].text == text)
    #expect(throws: JSONError("must not contain the character U+202E", at: "/attachments/1/title")) {
      try request([PresentationRequest.Attachment(.diff, ""), PresentationRequest.Attachment(.diff, "", title: "\u{202E}")])
    }
  }

  @Test func `attachments are few, and have a limit together`() throws {
    let half = String(repeating: "x", count: PresentationRequest.Attachment.maximumBytes / 2)
    #expect(try request([.init(.command, half), .init(.diff, half)]).attachments.count == 2)
    #expect(throws: JSONError("must have at most 262144 bytes of text", at: "/attachments")) {
      try request([.init(.command, half), .init(.diff, half + "x")])
    }
    #expect(throws: JSONError("must have at most 8 attachments", at: "/attachments")) {
      try request(Array(repeating: .init(.command, "x"), count: 9))
    }
  }

  @Test func `a diff's lines are told apart, and what cannot be seen is marked`() {
    let diff = PresentationRequest.Attachment(.diff, "@@ -1 +1 @@\n-a\tb\n+a\u{200B}b\n c\n")
    #expect(
      PromptDescription.Block(diff).runs == [
        PromptDescription.Run(text: "@@ -1 +1 @@\n", styles: [.hunk]), PromptDescription.Run(text: "-a", styles: [.removed]),
        PromptDescription.Run(text: "→   ", styles: [.removed, .mark]), PromptDescription.Run(text: "b\n", styles: [.removed]),
        PromptDescription.Run(text: "+a", styles: [.added]), PromptDescription.Run(text: "\\u{200B}", styles: [.added, .mark]),
        PromptDescription.Run(text: "b\n", styles: [.added]), PromptDescription.Run(text: " c"),
      ])
    #expect(PromptDescription.Block(diff).label == "Diff")
  }
}
