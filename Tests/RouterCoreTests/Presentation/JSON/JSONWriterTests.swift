import OrderedCollections
import Testing

@testable import RouterCore

struct JSONWriterTests {
  private struct Pair: Record {
    var name: String
    var count: Int?

    init(name: String, count: Int? = nil) { (self.name, self.count) = (name, count) }

    init(_ f: inout Fields<Self>) throws(JSONError) {
      name = try f("name", \.name)
      count = try f("count", \.count)
    }
  }

  @Test func `writes members in the order in which they are added`() {
    let labels: OrderedDictionary = ["z": "1", "a\n": "2"]
    let none: Pair? = nil
    let text = JSONText { writer in
      writer.add("text", "a\"b\\c\u{1}é")
      writer.add("number", -7)
      writer.add("truth", true)
      writer.add("value", ["x": [1, nil]])
      writer.add("object", Pair(name: "o", count: 1))
      writer.add("objects", [Pair(name: "p"), Pair(name: "q", count: 2)])
      writer.add("none", [Pair]())
      writer.add("texts", ["r", "s"])
      writer.add("written", text: JSONText([true]))
      writer.add("page", texts: [JSONText(1), JSONText("t")])
      writer.add("labels", labels)
      writer.add("optional", optional: none)
      writer.add("optionalText", optional: nil as String?)
      writer.add("absent", ifPresent: none)
      writer.add("absentText", ifPresent: nil as String?)
      writer.add("seconds", ifPresent: Duration.milliseconds(1500))
    }
    #expect(
      text.description == #"""
        {"text":"a\"b\\c\u0001é","number":-7,"truth":true,"value":{"x":[1,null]},"object":{"name":"o","count":1},\#
        "objects":[{"name":"p"},{"name":"q","count":2}],"none":[],"texts":["r","s"],"written":[true],"page":[1,"t"],\#
        "labels":{"z":"1","a\n":"2"},"optional":null,"optionalText":null,"seconds":1.5}
        """#)
    #expect(JSONText(text.value) == text)
  }

  @Test func `escapes control characters, quotes and backslashes at any position`() throws {
    for code in UInt8.min..<0x80 {
      let character = String(Unicode.Scalar(code))
      let isEscaped = code < 0x20 || code == 0x7F || "\"\\".contains(character)
      for length in 0..<17 {
        let (before, after) = (String(repeating: "x", count: length), String(repeating: "é", count: 17 - length))
        let written = JSONValue.string(before + character + after).description
        #expect(written.hasPrefix("\"" + before + (isEscaped ? "\\" : character)) && written.hasSuffix(after + "\""))
        #expect(try JSONValue(parsing: written) == .string(before + character + after))
      }
    }
  }

  @Test func `parses its own output at any depth`() {
    let deep = (0..<200).reduce(JSONValue.null) { value, _ in [value] }
    let outcome = PresentationOutcome.answered(.value(deep))
    #expect(outcome.json == ["type": "answered", "value": deep])
  }

  @Test func `writes an object without members as braces`() {
    #expect(ActBody(Verbs.Dismiss()).jsonText.description == "{}")
    #expect(JSONText { $0.add("fields", [:] as OrderedDictionary<String, String>) }.description == #"{"fields":{}}"#)
  }
}
