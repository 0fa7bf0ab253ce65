import Router
import Testing

@testable import routerctl

struct PresentationTableTests {
  private func table(
    _ rows: [PresentationCells], _ style: OutputStyle, expectsMore: Bool = false, isAll: Bool = false
  ) -> PresentationTable {
    PresentationTable(PresentationTable.Column.log, fitting: rows, style: style, expectsMore: expectsMore, isAll: isAll)
  }

  @Test func `shows requester, outcome and title in a row`() {
    let cells = PresentationCells(.sample(), style: .terminal(200))
    let table = table([cells], .terminal(200))
    #expect(table.header == ["ASKED               ID       APP    USER OUTCOME WAITED SHOWN BY           WHAT"])
    #expect(
      table.row(cells) == "2026-11-21 07:00:00 5f0c1a2b deploy ada  Deploy    2.0s   40s ada@terminal Deploy 1.4.2?")
  }

  @Test(arguments: [40, 60, 80, 100, 120, 200])
  func `never exceeds the terminal's width, and always has the id, the requester and the title`(width: Int) {
    let cells = [
      PresentationCells(.sample(title: String(repeating: "日本", count: 100)), style: .terminal(width)),
      PresentationCells(
        .sample(app: String(repeating: "a", count: 64), outcome: .cancelled(.requesterGone)), style: .terminal(width)),
      PresentationCells(.agent("npm test", session: "a"), style: .terminal(width)),
    ]
    let table = table(cells, .terminal(width))
    for line in table.header + cells.map(table.row) { #expect(line.columns <= width) }
    for title in ["ID", "APP", "OUTCOME", "WHAT"] { #expect(table.header[0].contains(title)) }
    #expect(table.row(cells[0]).contains("日"))
  }

  @Test func `drops columns on a narrow terminal, and shows all on a wide one`() {
    let cells = [PresentationCells(.sample(), style: .terminal(80))]
    #expect(!table(cells, .terminal(60)).header[0].contains("BY"))
    #expect(table(cells, .terminal(60)).header[0].contains("OUTCOME"))
    #expect(table(cells, .terminal(160)).widths.map(\.column.title) == PresentationTable.Column.log.map(\.title))
  }

  @Test func `names what all rows share above the table`() {
    let style = OutputStyle.terminal(80)
    let cells = [
      PresentationCells(.sample(), style: style),
      PresentationCells(.sample(title: "Roll back?", app: "rollback"), style: style),
    ]
    let shared = table(cells, style, isAll: true)
    #expect(shared.header[0] == "all rows: user ada, by ada@terminal")
    #expect(!shared.header[1].contains("USER") && shared.header[1].contains("APP"))
    #expect(table([cells[0], cells[0]], style, isAll: true).header[0].hasPrefix("all rows: app deploy, "))
    #expect(table(cells, style).header.count == 1)
    #expect(table(cells, .plain, isAll: true).header.count == 1)
  }

  @Test func `shows the command beside a title that does not contain it, cut in the middle`() {
    let asked = PresentationCells(
      .agent("find . -name '*.orig' -print0 | xargs -0 rm --verbose"), style: .terminal(80, hasColor: true))
    #expect(
      asked.what(to: 50).styled(asked.style)
        == "Run this?\u{1B}[2m · \u{1B}[0m\u{1B}[2mfind . -name '*.orig' -pr…rm --verbose\u{1B}[0m")
    #expect(asked.what(to: 50).columns <= 50)
    #expect(PresentationCells(.agent("npm test")).what(to: .max).text == "alert Run this? · npm test")
  }

  @Test func `cuts the app of an agent first, since the rest tells sessions apart`() {
    let style = OutputStyle.terminal(80)
    var cells = PresentationCells(.agent("ls", session: "a1b2c3d4"), style: style)
    #expect(cells.app(to: 30).text == "claude-code · shop · c3d4")
    #expect(cells.app(to: 20).text == "claud… · shop · c3d4")
    #expect(cells.app(to: 10).text == "c… · shop…")
    cells.style = .plain
    #expect(cells.app(to: .max).text == "claude-code·shop·c3d4")
  }

  @Test func `colors the name of an agent by its session`() throws {
    let style = OutputStyle.terminal(80, hasColor: true)
    func app(_ session: String) -> String {
      let cells = PresentationCells(.agent("ls", session: session), style: style)
      return String(cells.app(to: 30).styled(style).prefix { $0 != "c" })
    }
    #expect(app("session-1") == app("session-1"))
    #expect(Set((1...20).map { app("session-\($0)") }).count == 6)
    #expect(app("session-1").hasPrefix("\u{1B}[3"))
  }

  @Test func `marks the words of a search, and shows where they are if not in the title`() {
    let style = OutputStyle.terminal(80, hasColor: true)
    let titled = PresentationCells(.sample(title: "Deploy 1.4.2?"), style: style, search: "deploy")
    #expect(titled.what(to: 40).styled(style) == "\u{1B}[1;31mDeploy\u{1B}[0m 1.4.2?")
    let message = "Directory: /srv/shop\nThe agent says: it checks the cart."
    let elsewhere = PresentationCells(.agent("npm test", message: message), style: style, search: "cart")
    #expect(elsewhere.what(to: 60).text == "Run this? · …hecks the cart.")
    #expect(elsewhere.what(to: 60).styled(style).contains("\u{1B}[1;31mcart\u{1B}[0m"))
  }

  @Test func `a terminal has short times and labels, a pipe has whole ones`() {
    var cells = PresentationCells(.sample(outcome: .answered(.button("c2")), button: ("c2", "To staging")))
    #expect(cells.outcome == "answered/To_staging")
    #expect(PresentationCells(.sample()).outcome == "answered/Deploy")
    cells.style = .terminal(80)
    #expect(cells.asked == "07:00:00" && cells.outcome == "To staging")
    cells.style = .terminal(120)
    #expect(cells.asked == "2026-11-21 07:00:00")
    let zone = LocalTime.fixed(secondsEast: 0)
    func short(_ now: String) -> String { zone.short(Presentation.asked, now: Timestamp(now)!) }
    #expect(short("2026-12-01T00:00:00.000Z") == "11-21 07:00")
    #expect(short("2027-01-01T00:00:00.000Z") == "2026-11-21")
  }

  @Test func `a terminal shows the comment after the outcome, cut to the column, and a pipe does not`() {
    var presentation = Presentation.sample(button: ("deploy", "Deny"))
    presentation.extra.comment = "use the\nstaging branch"
    var cells = PresentationCells(presentation, style: .terminal(80))
    #expect(cells.outcome == "Deny: use the staging branch")
    // The title is short.
    #expect(table([cells], .terminal(80)).row(cells).contains(" Deny: use the staging b… "))
    var long = Presentation.sample(
      PresentationRequest(kind: .alert, title: String(repeating: "x", count: 80)), outcome: .dismissed)
    long.extra.comment = "use the\nstaging branch"
    let longCells = PresentationCells(long, style: .terminal(80))
    #expect(table([longCells], .terminal(80)).row(longCells).contains(" dismissed: u… "))
    cells.style = .plain
    #expect(cells.outcome == "answered/Deny")
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
    let row = table([open], .terminal(200), expectsMore: true).row(ended)
    #expect(row.contains("cancelled/requesterGone") && row.contains("ada@terminal"))
    #expect(!table([open], .terminal(200)).row(ended).contains("requesterGone"))
  }

  @Test func `prints full text in fixed columns in a pipe`() {
    let title = String(repeating: "long ", count: 100) + "end"
    let table = table([], .plain)
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
    let colored = table([cells], .terminal(200, hasColor: true)).row(cells)
    #expect(colored.contains("\u{1B}[36manswered/Deploy\u{1B}[0m"))
    #expect(!table([cells], .terminal(200)).row(cells).contains("\u{1B}"))
  }

  @Test func `escapes control characters in a row`() {
    var presentation = Presentation.sample(title: "a\u{1B}[2Jb\u{202E}c\nd\u{9B}e")
    presentation.resolvedBy?.presenter = "p\u{7}\nq"
    let row = table([], .terminal(300)).row(PresentationCells(presentation))
    #expect(row.hasSuffix(#"alert a\u{1B}[2Jb\u{202E}c\u{A}d\u{9B}e"#))
    #expect(row.contains(#"ada@p\u{7}\u{A}q"#))
  }
}
