import Router
import Testing

@testable import routerctl

struct LogPrinterTests {
  let written = Written()

  @Test func `fields of CSV are quoted where they must be`() {
    #expect(
      LogCSV.line(["a", nil, "b c", "d,e", "f\"g", "h\ni", "j\r\nk", ""])
        == "a,,b c,\"d,e\",\"f\"\"g\",\"h\ni\",\"j\r\nk\",\r\n")
    // A quotation mark with a combining mark is one character, and still has to be doubled.
    #expect(LogCSV.line(["\"\u{301},"]) == "\"\"\"\u{301},\"\r\n")
  }

  @Test(arguments: ["=1+1", "+1", "-1+1", "@SUM(A1)", "\tx", "=cmd|' /C calc'!A0", "\rx"])
  func `text that a spreadsheet would run gets a quote`(text: String) {
    #expect(LogCSV.line([text]).replacing("\"", with: "") == "'\(text)\r\n")
  }

  @Test(arguments: ["-1", "-1.5", "a=b", "1-2", "x@y"])
  func `numbers and other text stay as they are`(text: String) {
    #expect(LogCSV.line([text]) == text + "\r\n")
  }

  @Test func `CSV has one heading, and as many fields in each record`() {
    var printer = LogPrinter(.csv, style: .plain, to: written)
    printer.print([.sample()], now: Presentation.asked)
    printer.print([.sample(outcome: .failed("no, display"))], now: Presentation.asked)
    let lines = written.text.split(separator: "\r\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("id,state,app,uid,"))
    #expect(lines[1].split(separator: ",", omittingEmptySubsequences: false).count == lines[0].split(separator: ",").count)
    #expect(lines[2].contains(",failed,\"no, display\",,"))
  }

  @Test func `CSV of nothing is a heading`() {
    var printer = LogPrinter(.csv, style: .plain, to: written)
    printer.print([Presentation](), now: Presentation.asked)
    #expect(written.text == LogCSV.header)
  }

  @Test func `CSV keeps its values in a file and is made harmless on a terminal`() {
    let presentation = Presentation.sample(title: "a\u{1B}b")
    var printer = LogPrinter(.csv, style: .plain, to: written)
    printer.print([presentation], now: Presentation.asked)
    #expect(written.text.contains("a\u{1B}b"))
    written.text = ""
    printer = LogPrinter(.csv, style: .terminal(80), to: written)
    printer.print([presentation], now: Presentation.asked)
    #expect(!written.text.contains("\u{1B}"))
  }

  @Test func `JSON is one presentation a line and says the same after escaping`() throws {
    var presentation = Presentation.sample(title: "é日本👩‍💻")
    presentation.resolvedBy?.presenter = "a\u{9B}\u{202E}\u{2028}\u{7F}b"
    var printer = LogPrinter(.json, style: .plain, to: written)
    printer.print([presentation, .sample()], now: Presentation.asked)
    let lines = written.text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains(#""a\u009b\u202e\u2028\u007fb""#))
    #expect(lines[0].contains("é日本👩‍💻"))
    #expect(try Presentation(json: JSONValue(parsing: String(lines[0]))) == presentation)
  }

  @Test func `the heading stands once, and on a terminal alone`() {
    var printer = LogPrinter(nil, style: .terminal(120), to: written)
    printer.print([.sample()], now: Presentation.asked)
    printer.print([.sample()], now: Presentation.asked)
    #expect(written.text.split(separator: "\n").map { $0.hasPrefix("ASKED") } == [true, false, false])
    written.text = ""
    printer = LogPrinter(nil, style: .plain, to: written)
    printer.print([.sample()], now: Presentation.asked)
    #expect(written.text.split(separator: "\n").count == 1)
  }
}
