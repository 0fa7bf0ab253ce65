import Router
import Testing

@testable import routerctl

// Promise P89.
struct LogPrinterTests {
  let written = Written()

  @Test func `quotes CSV fields if necessary`() {
    #expect(
      LogCSV.line(["a", nil, "b c", "d,e", "f\"g", "h\ni", "j\r\nk", ""])
        == "a,,b c,\"d,e\",\"f\"\"g\",\"h\ni\",\"j\r\nk\",\r\n")
    // A quotation mark with a combining mark is one character, and must still be doubled.
    #expect(LogCSV.line(["\"\u{301},"]) == "\"\"\"\u{301},\"\r\n")
  }

  @Test(arguments: ["=1+1", "+1", "-1+1", "@SUM(A1)", "\tx", "=cmd|' /C calc'!A0", "\rx"])
  func `prefixes text that a spreadsheet would execute with a quote`(text: String) {
    #expect(LogCSV.line([text]).replacing("\"", with: "") == "'\(text)\r\n")
  }

  @Test(arguments: ["-1", "-1.5", "a=b", "1-2", "x@y"])
  func `leaves numbers and other text unchanged`(text: String) {
    #expect(LogCSV.line([text]) == text + "\r\n")
  }

  @Test func `prints one CSV header and the same number of fields per record`() {
    var printer = LogPrinter(.csv, style: .plain, to: written)
    printer.print([.sample()], now: Presentation.asked)
    printer.print([.sample(outcome: .failed("no, display"))], now: Presentation.asked)
    let lines = written.text.split(separator: "\r\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("id,state,app,uid,"))
    #expect(lines[1].split(separator: ",", omittingEmptySubsequences: false).count == lines[0].split(separator: ",").count)
    #expect(lines[2].contains(",failed,\"no, display\",,"))
  }

  @Test func `has the command, its result and the people in a CSV's last columns`() throws {
    var printer = LogPrinter(.csv, style: .plain, to: written)
    printer.print([.agent("npm test", session: "a1b2")], now: Presentation.asked)
    let lines = written.text.split(separator: "\r\n")
    #expect(
      lines[0].hasSuffix(
        ",command,directory,session,calledBy,comment,settledBy,user,resolvedByUser,result,resultDetail"))
    #expect(lines[1].hasSuffix(",npm test,/srv/shop,a1b2,bash ← tmux,,,ada,,,"))
    let results: [(ActReport.Result, String)] = [
      (.status(3), "status,3"), (.signal(15), "signal,15"), (.failed("no, really"), "failed,\"no, really\""),
      (.notRun("it changed"), "notRun,it changed"),
    ]
    for (result, columns) in results {
      var presentation = Presentation.agent("npm test", outcome: .dismissed)
      presentation.ran = Presentation.Ran(ActReport(act: "", result), by: try #require(presentation.resolvedBy))
      #expect(LogCSV.row(presentation, .samples).hasSuffix(",ada,ada,\(columns)\r\n"))
    }
  }

  @Test func `marks what a remembered answer settled, at any width`() {
    var presentation = Presentation.sample(outcome: .answered(.button("deploy")))
    presentation.because = .grant(presentation.id)
    for columns in [80, 200] {
      var printer = LogPrinter(nil, style: .terminal(columns), to: written)
      printer.print([presentation, .sample()], now: Presentation.asked)
    }
    let lines = written.text.split(separator: "\n").filter { $0.contains("Deploy 1.4.2?") }
    #expect(lines.map { $0.contains("↻ Deploy") } == [true, false, true, false])
  }

  @Test func `quotes a comment with a comma, a quotation mark and a line feed in a CSV`() {
    var presentation = Presentation.sample(outcome: .dismissed)
    presentation.extra.comment = "first, use \"staging\"\nthen ask again"
    var printer = LogPrinter(.csv, style: .plain, to: written)
    printer.print([presentation], now: Presentation.asked)
    #expect(written.text.hasSuffix(",bash ← tmux,\"first, use \"\"staging\"\"\nthen ask again\",,ada,ada,,\r\n"))
  }

  @Test func `names every end whole and apart at 80 columns`() {
    let long = String(repeating: "x", count: 80)
    let outcomes: [PresentationOutcome] =
      [.dismissed, .expired(.queued), .expired(.presented), .failed("no display")]
      + PresentationOutcome.CancellationReason.allCases.map { .cancelled($0) }
    #expect(Set(outcomes.map(\.brief)).count == outcomes.count)
    let asked = outcomes.map { Presentation.sample(title: long, outcome: $0) }
    var printer = LogPrinter(nil, style: .terminal(80), to: written)
    printer.print(asked, now: Presentation.asked, isAll: true)
    let rows = written.text.split(separator: "\n").suffix(outcomes.count)
    for (row, outcome) in zip(rows, outcomes) { #expect(row.contains(" \(outcome.brief) "), "\(row)") }
  }

  @Test func `explains the marks that its rows have`() throws {
    var (granted, ruled, ran) = (Presentation.sample(), Presentation.sample(), Presentation.sample())
    granted.because = .grant(granted.id)
    ruled.because = .rule("no-force", rules: "")
    ran.ran = Presentation.Ran(ActReport(act: "", .status(0)), by: try #require(ran.resolvedBy))
    func first(_ presentations: [Presentation], _ style: OutputStyle = .terminal(120)) -> String {
      written.text = ""
      var printer = LogPrinter(nil, style: style, to: written)
      printer.print(presentations, now: Presentation.asked)
      return String(written.text.prefix { $0 != "\n" })
    }
    #expect(first([granted]) == "↻ answered from memory")
    #expect(first([ruled, .sample()]) == "§ decided by a rule")
    #expect(first([ran]) == "→ the program's report, such as ran and the exit status")
    #expect(first([granted, ruled, ran]).hasPrefix("↻ answered from memory, § decided by a rule, → the program's"))
    #expect(first([.sample()]).hasPrefix("ASKED"))
    #expect(!first([granted, ruled, ran], .plain).contains("answered from memory"))
  }

  @Test func `folds prompts that nobody was there to ask, on a terminal`() {
    let asked = [nil, "a", "a", "b", "a"].map { app in
      app.map { Presentation.sample(app: $0, outcome: .cancelled(.noPresenter)) } ?? .sample()
    }
    var printer = LogPrinter(nil, style: .terminal(100), to: written)
    printer.print(asked, now: Presentation.asked)
    let rows = written.text.split(separator: "\n").dropFirst()
    #expect(rows.count == 4)
    #expect(rows.map { $0.contains("nobody was there to ask (2 times)") } == [false, true, false, false])
    for format in [nil, LogList.Format.json, .csv] {
      written.text = ""
      printer = LogPrinter(format, style: .plain, to: written)
      printer.print(asked, now: Presentation.asked)
      #expect(written.text.split(whereSeparator: \.isNewline).count == (format == .csv ? 6 : 5))
    }
  }

  @Test func `tells two sessions of an agent apart, with the same names on each page`() {
    var printer = LogPrinter(nil, style: .plain, to: written)
    for session in ["a1b2c3", "d4e5f6", "a1b2c3"] { printer.print([.agent("ls", session: session)], now: Presentation.asked) }
    let names = written.text.split(separator: "\n").map { String($0.split(separator: " ")[3]) }
    #expect(names == ["claude-code·shop·b2c3", "claude-code·shop·e5f6", "claude-code·shop·b2c3"])
  }

  @Test func `prints only the header for an empty CSV`() {
    var printer = LogPrinter(.csv, style: .plain, to: written)
    printer.print([Presentation](), now: Presentation.asked)
    #expect(written.text == LogCSV.header)
  }

  @Test func `keeps CSV values raw in a file, and escapes them on a terminal`() {
    let presentation = Presentation.sample(title: "a\u{1B}b")
    var printer = LogPrinter(.csv, style: .plain, to: written)
    printer.print([presentation], now: Presentation.asked)
    #expect(written.text.contains("a\u{1B}b"))
    written.text = ""
    printer = LogPrinter(.csv, style: .terminal(80), to: written)
    printer.print([presentation], now: Presentation.asked)
    #expect(!written.text.contains("\u{1B}"))
  }

  @Test func `prints one presentation per JSON line, escaped without loss`() throws {
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

  @Test func `prints the heading once, and only on a terminal`() {
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
