import Router
import Testing

@testable import routerctl

struct PresentationTableTests {
  @Test func `shows requester, outcome and title in a row`() {
    let cells = PresentationCells(.sample())
    let table = PresentationTable(fitting: [cells], style: .terminal(200))
    #expect(table.header == ["ASKED               ID       APP    USER OUTCOME         WAITED SHOWN BY           WHAT"])
    #expect(
      table.row(cells)
        == "2026-11-21 07:00:00 5f0c1a2b deploy ada  answered/deploy   2.0s   40s ada@terminal alert Deploy 1.4.2?")
  }

  @Test(arguments: [40, 60, 80, 100, 120, 200])
  func `never exceeds the terminal's width`(width: Int) {
    let cells = [
      PresentationCells(.sample(title: String(repeating: "日本", count: 100))),
      PresentationCells(.sample(app: String(repeating: "a", count: 64), outcome: .cancelled(.requesterGone))),
    ]
    let table = PresentationTable(fitting: cells, style: .terminal(width))
    for line in table.header + cells.map(table.row) { #expect(line.columns <= max(width, 64)) }
    if width >= 80 { #expect(cells.map(table.row).allSatisfy { $0.columns <= width }) }
  }

  @Test func `drops columns on a narrow terminal, and shows all on a wide one`() {
    let cells = [PresentationCells(.sample())]
    #expect(!PresentationTable(fitting: cells, style: .terminal(80)).header[0].contains("BY"))
    #expect(PresentationTable(fitting: cells, style: .terminal(80)).header[0].contains("OUTCOME"))
    #expect(PresentationTable(fitting: cells, style: .terminal(160)).widths.map(\.column) == PresentationTable.columns)
  }

  @Test func `what all rows share stands above the table, and leaves room for titles`() {
    let cells = [PresentationCells(.sample()), PresentationCells(.sample(title: "Roll back?", app: "rollback"))]
    let table = PresentationTable(fitting: cells, style: .terminal(80), isAll: true)
    #expect(table.header[0] == "USER ada, BY ada@terminal")
    #expect(!table.header[1].contains("USER") && table.header[1].contains("APP"))
    #expect(PresentationTable(fitting: cells, style: .terminal(80)).header.count == 1)
    #expect(PresentationTable(fitting: cells, style: .plain, isAll: true).header.count == 1)
  }

  @Test func `a terminal has short times and labels, a pipe has whole ones and ids`() {
    var cells = PresentationCells(.sample())
    cells.style = .terminal(80)
    #expect(cells.asked == "07:00:00" && cells.outcome == "Deploy")
    cells.style = .terminal(120)
    #expect(cells.asked == "2026-11-21 07:00:00")
    let zone = LocalTime.fixed(secondsEast: 0)
    func short(_ now: String) -> String { zone.short(Presentation.asked, now: Timestamp(now)!) }
    #expect(short("2026-12-01T00:00:00.000Z") == "11-21 07:00")
    #expect(short("2027-01-01T00:00:00.000Z") == "2026-11-21")
  }

  @Test func `yes, no, other answers, dismissed and expired have different colors`() {
    let ask = PresentationRequest(
      kind: .alert, title: "?",
      buttons: [
        PresentationRequest.Button(id: "yes", label: "Yes"), PresentationRequest.Button(id: "no", label: "No", role: .cancel),
      ])
    let kinds: [AnswerKind?] = [ask.kind(of: .button("yes")), ask.kind(of: .button("no")), ask.kind(of: .value(1))]
    #expect(kinds == [.yes, .no, .other])
    let faces =
      kinds.map { OutputStyle.Face.of(.answered, $0) } + [.of(.dismissed), .of(.expired), .of(.cancelled), .of(.failed)]
    #expect(Set(faces).count == 7)
  }

  @Test func `reserves room for typical rows in a table that continues`() {
    let open = PresentationCells(.sample(outcome: nil))
    let ended = PresentationCells(.sample(outcome: .cancelled(.requesterGone)))
    let row = PresentationTable(fitting: [open], style: .terminal(200), expectsMore: true).row(ended)
    #expect(row.contains("cancelled/requesterGone") && row.contains("ada@terminal"))
    #expect(!PresentationTable(fitting: [open], style: .terminal(200)).row(ended).contains("requesterGone"))
  }

  @Test func `prints full text in fixed columns in a pipe`() {
    let title = String(repeating: "long ", count: 100) + "end"
    let table = PresentationTable(fitting: [], style: .plain)
    let row = table.row(PresentationCells(.sample(title: title, outcome: .expired(.queued))))
    #expect(row.hasSuffix("alert " + title))
    #expect(!row.contains("\t") && !row.contains("\u{1B}"))
    let other = table.row(PresentationCells(.sample(app: "x")))
    #expect(row.prefix(19 + 1 + 8 + 1) == other.prefix(19 + 1 + 8 + 1))
    // Day, time, id, app, user, outcome, waited, shown, by, and then the text.
    let fields = row.split(separator: " ")
    #expect(
      fields.prefix(10) == [
        "2026-11-21", "07:00:00", "5f0c1a2b", "deploy", "ada", "expired/queued", "2.0s", "40s", "ada@terminal", "alert",
      ])
  }

  @Test func `joins a presenter's name with spaces to one word`() {
    var presentation = Presentation.sample()
    presentation.resolvedBy?.presenter = "the big screen"
    #expect(PresentationCells(presentation).by == "ada@the_big_screen")
  }

  @Test func `counts waiting and shown times of open presentations until now`() {
    var presentation = Presentation.sample(outcome: nil)
    #expect(PresentationCells(presentation).shown == "1m38s")
    #expect(PresentationCells(presentation).by == "-")
    presentation.covered = true
    #expect(PresentationCells(presentation).outcome == "covered")
    presentation.presentedAt = nil
    presentation.covered = false
    presentation.state = .queued
    #expect(PresentationCells(presentation).waited == "1m40s")
    #expect(PresentationCells(presentation).shown == "-")
    #expect(PresentationCells(presentation).outcome == "queued")
  }

  @Test func `colors outcomes on a terminal if colors are enabled`() {
    let cells = PresentationCells(.sample())
    let colored = PresentationTable(fitting: [cells], style: .terminal(200, hasColor: true)).row(cells)
    #expect(colored.contains("\u{1B}[36manswered/deploy\u{1B}[0m"))
    #expect(!PresentationTable(fitting: [cells], style: .terminal(200)).row(cells).contains("\u{1B}"))
  }

  @Test func `escapes control characters in a row`() {
    var presentation = Presentation.sample(title: "a\u{1B}[2Jb\u{202E}c\nd\u{9B}e")
    presentation.resolvedBy?.presenter = "p\u{7}\nq"
    let row = PresentationTable(fitting: [], style: .terminal(300)).row(PresentationCells(presentation))
    #expect(row.hasSuffix(#"alert a\u{1B}[2Jb\u{202E}c\u{A}d\u{9B}e"#))
    #expect(row.contains(#"ada@p\u{7}\u{A}q"#))
  }
}
