import RouterCore
import TestSupport
import Testing

/// Rows of a list that are too long for a label.
struct LongLabelTests {
  @Test func `shows the beginning and the end of a long row`() {
    let path = "/srv/" + String(repeating: "deep/", count: 100)
    let labels = [path + "one.txt", path + "two.txt", "short"].distinctLabels
    #expect(labels[0].hasPrefix("/srv/deep/") && labels[0].hasSuffix("/deep/one.txt") && labels[0].contains("…"))
    #expect(labels[1].hasSuffix("/deep/two.txt") && labels[2] == "short")
    #expect([String(repeating: "x", count: 240)].distinctLabels == [String(repeating: "x", count: 240)])
  }

  @Test func `no row, however long, makes a list invalid`() throws {
    let parts = ["x", "ä", "€", "e\u{301}", "😀", " ", "\u{202E}", "\u{1B}", String(repeating: "y", count: 200), "end"]
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let rows = (0..<(2 + random.below(20))).map { _ in
        (0..<random.below(300)).map { _ in parts[random.below(random.below(2) == 0 ? 2 : parts.count)] }.joined()
      }
      // Rows that differ only in their middle look alike.
      let labels = (rows + rows.map { $0 + String(repeating: "z", count: 300) + $0 } + rows).distinctLabels
      #expect(labels.allSatisfy { $0.utf8.count <= 256 }, "ROUTER_SEED=\(seed)")
      var dialog = PresentationRequest(kind: .confirmationDialog, title: "Which?")
      dialog.buttons = labels.prefix(60).enumerated().map { PresentationRequest.Button(id: "c\($0)", label: $1) }
      var form = PresentationRequest(kind: .sheet, sheet: "choose")
      form.schema = FormSchema(properties: [
        FormSchema.Property(
          name: "choices", kind: .array, title: "Choices", isRequired: true, choices: labels.map { .string($0) })
      ])
      for request in [dialog, form] {
        #expect(throws: Never.self, "ROUTER_SEED=\(seed)") { try PresentationRequest(json: request.json) }
      }
    }
  }
}
