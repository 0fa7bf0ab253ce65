import Router
import Testing

@testable import routerctl

/// What keys and new data do in `routerctl top`, and what it draws.
struct TopStateTests {
  private func prompt(
    _ number: Int, _ title: String, surface: String = "main", state: Presentation.State = .queued, button: String? = nil,
    app: String = "deploy", act: Act? = nil
  ) throws -> Presentation {
    var request = PresentationRequest(
      kind: .alert, title: title,
      buttons: [
        PresentationRequest.Button(id: "yes", label: "Yes, do it"),
        PresentationRequest.Button(id: "no", label: "No", role: .cancel),
      ])
    (request.surface, request.act) = (surface, act)
    let id = "01936f5e-1b2c-7def-8a90-\(String(100_000_000_000 + number))"
    let requested = Timestamp(milliseconds: 1_800_000_000_000)
    var presentation = Presentation(
      id: try #require(PresentationID(id)), state: button == nil ? state : .resolved, generation: 1,
      requester: Presentation.Requester(app: app, process: ProcessIdentity(uid: 0, gid: 0, pid: 4242)), request: request,
      requestedAt: requested, outcome: button.map { .answered(.button($0)) })
    if button != nil { presentation.resolvedAt = requested.advanced(by: .seconds(3)) }
    return presentation
  }

  private func state(queue: [Presentation], recent: [Presentation]? = []) -> TopState {
    var state = TopState(now: Timestamp(milliseconds: 1_800_000_060_000))
    var data = TopData()
    (data.queue, data.recent, data.version) = (queue, recent, "1.0.0")
    state.data = data
    return state
  }

  private func text(_ state: TopState, _ columns: Int = 80, _ rows: Int = 24) -> [String] {
    TopView(state, size: ScreenSize(columns: columns, rows: rows), hasColor: false).frame.lines
  }

  @Test(arguments: 0..<12, 1...3) func `shows a prompt below each session's heading`(selected: Int, size: Int) throws {
    var state = state(queue: try (0..<12).map { try prompt($0, "Prompt \($0)", app: "app\($0 / size)") })
    for _ in 0..<selected { _ = state.press(.down) }
    for rows in 12...30 {
      let lines = text(state, 80, rows)
      #expect(lines.contains { $0.hasPrefix("› ") && $0.contains("Prompt \(selected)") }, "\(rows) rows: \(lines)")
      let headings = lines.indices.filter { lines[$0].contains(" \(size) prompt") }
      #expect(!headings.isEmpty, "\(rows) rows: \(lines)")
      for index in headings { #expect(lines[index + 1].contains("Prompt "), "\(rows) rows: \(lines)") }
    }
  }

  @Test func `tells an empty list from one without matches`() throws {
    var state = state(queue: [try prompt(1, "One")], recent: [try prompt(2, "Two", button: "yes")])
    for key in ["/", "z", "z"] { _ = state.press(.text(key)) }
    _ = state.press(.enter)
    #expect(text(state).count { $0.contains("No prompts match the filter.") } == 2)
    #expect(!text(state).contains { $0.contains("Queue empty.") || $0.contains("have ended yet") })
  }

  @Test func `names the keys of the section`() throws {
    var state = state(queue: [try prompt(1, "One")], recent: [try prompt(2, "Two", button: "yes")])
    #expect(text(state).last?.hasPrefix("Enter answers · ") == true)
    _ = state.press(.tab)
    #expect(text(state).last?.hasPrefix("Enter: timeline · ") == true)
    for columns in 30...120 { #expect(text(state, columns).last?.hasSuffix("q quits") == true, "\(columns) columns") }
  }

  @Test func `the selected prompt stays selected while others come and go`() throws {
    let prompts = try (1...4).map { try prompt($0, "Prompt \($0)") }
    var state = state(queue: prompts)
    _ = state.press(.down)
    #expect(state.current?.id == prompts[1].id)
    state.data.queue.removeFirst()
    #expect(state.current?.id == prompts[1].id)
    // When it has gone, the one in its place is selected.
    state.data.queue.removeFirst()
    #expect(state.current?.id == prompts[2].id)
    state.data.queue = []
    #expect(state.current == nil)
    #expect(state.press(.enter) == nil)
  }

  @Test func `lists the remembered answers, and revokes one after a question`() throws {
    func grant(_ number: Int, _ object: String) throws -> GrantRecord {
      try GrantRecord(
        json: [
          "id": .string("01936f5e-1b2c-7def-8a90-\(String(100_000_000_000 + number))"), "surface": "main", "button": "allow",
          "label": "Allow", "act": ["verb": "deploy", "object": .string(object)], "match": "exact", "uid": 0, "app": "deploy",
          "anchor": "bash", "session": ["pid": 77, "started": 7, "boot": "b"], "grantedAt": "2027-01-15T08:00:00.000Z",
          "presentation": "01936f5e-1b2c-7def-8a90-200000000000", "by": ["uid": 0, "gid": 0, "pid": 2], "uses": 3,
        ], at: "")
    }
    var state = state(queue: [])
    #expect(!text(state)[0].contains("remembered"))
    state.data.grants = [try grant(1, "blog"), try grant(2, "shop")]
    #expect(text(state)[0].contains("· 2 remembered"))
    #expect(text(state).last?.contains("g remembered") == true)
    _ = state.press(.text("g"))
    _ = state.press(.down)
    _ = state.press(.down)
    let lines = text(state)
    #expect(lines[1].contains("REMEMBERED 2"))
    #expect(lines[3].hasPrefix("  ") && lines[3].contains("blog"))
    #expect(lines[4].hasPrefix("› ") && lines[4].contains("shop"))
    #expect(state.press(.text("x")) == nil)
    #expect(text(state).last?.contains("Take back Allow") == true)
    #expect(state.press(.text("y")) == .revoke(state.data.grants[1].grant.id))
    // The list has become shorter meanwhile.
    state.data.grants.removeLast()
    #expect(text(state)[3].hasPrefix("› "))
    _ = state.press(.escape)
    #expect(text(state)[1].contains("QUEUE"))
  }

  @Test func `marks what a remembered answer settled, and drops the uptime before a count`() throws {
    let settled = try prompt(1, "Push?", button: "yes")
    var remembered = settled
    remembered.because = .grant(try #require(PresentationID("01936f5e-1b2c-7def-8a90-0000000242eb")))
    var state = state(queue: [], recent: [remembered, settled])
    let rows = text(state).filter { $0.hasSuffix("Push?") }
    #expect(rows.map { $0.contains("↻ Yes, do it") } == [true, false])
    #expect(rows[0].contains(" via 000242eb "))
    state.data.uptime = .seconds(10)
    #expect(text(state)[0].contains("· up 10 s ·"))
    (state.data.shown, state.data.waiting, state.data.version) = (10, 20, "1.0.0-with-a-long-name")
    #expect(!text(state)[0].contains("up 10 s") && text(state)[0].contains("0 presenters"))
  }

  @Test func `shows the result of an approved act, or that it is not reported`() throws {
    let act = Act("run", object: "make")
    func acting(_ number: Int, _ button: String) throws -> Presentation {
      try prompt(number, "Run?", button: button, act: act)
    }
    var reported = try acting(1, "yes")
    reported.ran = Presentation.Ran(
      ActReport(act: act.digest, .status(3)), by: Presentation.Responder(process: ProcessIdentity(uid: 0, gid: 0, pid: 1)))
    let recent = [reported, try acting(2, "yes"), try acting(3, "no"), try prompt(4, "Run?", button: "yes")]
    let rows = text(state(queue: [], recent: recent), 160).filter { $0.contains("Run?") }
    #expect(rows.map { $0.contains("ran 3") } == [true, false, false, false])
    #expect(rows.map { $0.contains("not reported") } == [false, true, false, false], "\(rows)")
  }

  @Test func `puts a prompt off with s, and shows a waiting one first with +`() throws {
    var snoozed = try prompt(3, "Third")
    snoozed.snoozedUntil = Timestamp(milliseconds: 1_800_000_900_000)
    let prompts = [try prompt(1, "First", state: .presented), try prompt(2, "Second"), snoozed]
    var state = state(queue: prompts)
    let snooze = Verbs.Snooze(for: .seconds(900))
    let done = "snoozed until \(LocalTime.system.minutes(state.now.advanced(by: .seconds(900)), now: state.now))"
    #expect(state.press(.text("s")) == .act(Change(prompts[0].id, snooze), done: done))
    _ = state.press(.down)
    #expect(state.press(.text("s")) == .act(Change(prompts[1].id, snooze), done: done))
    #expect(state.press(.text("+")) == .act(Change(prompts[1].id, Verbs.Raise()), done: "raised"))
    _ = state.press(.down)
    #expect(state.press(.text("s")) == nil && state.notice == "It is snoozed: + shows it now.")
    #expect(text(state).contains { $0.contains("snoozed") && $0.contains("Third") })
  }

  @Test func `pauses the session of the selected prompt with p, or ends its pause`() throws {
    let prompts = [try prompt(1, "First", state: .presented), try prompt(2, "Second")]
    var state = state(queue: prompts)
    #expect(state.press(.text("p")) == .pause(prompts[0].id))
    let pause = SessionPause(
      prompts[0], until: Timestamp(milliseconds: 1_800_000_900_000),
      by: Presentation.Responder(process: prompts[0].requester.process))
    state.data.pauses = [pause]
    #expect(state.press(.text("p")) == .endPause(pause))
    #expect(text(state).contains { $0.contains(" paused until ") })
    state.data.queue = []
    #expect(state.press(.text("p")) == .endPause(pause))
    state.data.pauses = []
    #expect(state.press(.text("p")) == nil && state.notice == "Select a prompt of the session to pause.")
  }

  @Test func `only the prompt that is shown next can be answered`() throws {
    let prompts = [try prompt(1, "First"), try prompt(2, "Second"), try prompt(3, "Elsewhere", surface: "desk")]
    var state = state(queue: prompts)
    #expect(state.press(.enter) == .open(prompts[0].id, surface: "main"))
    _ = state.press(.down)
    #expect(state.press(.enter) == nil)
    #expect(state.notice?.contains("+ shows this one first") == true)
    _ = state.press(.down)
    #expect(state.press(.enter) == .open(prompts[2].id, surface: "desk"))
  }

  @Test(arguments: [("d", "Close without an answer: First"), ("w", "Withdraw: First")])
  func `closing and withdrawing are asked back, and only y does it`(key: String, words: String) throws {
    let first = try prompt(1, "First")
    var state = state(queue: [first])
    #expect(state.press(.text(key)) == nil)
    #expect(state.question?.text == words)
    #expect(text(state).last == "\(words) (y/n)")
    #expect(state.press(.enter) == nil)
    #expect(state.question == nil && state.notice == "Canceled.")
    _ = state.press(.text(key))
    let act: (verb: any Verb, done: String) = key == "d" ? (Verbs.Dismiss(), "closed") : (Verbs.Cancel(), "withdrawn")
    #expect(state.press(.text("y")) == .act(Change(first.id, act.verb), done: act.done))
  }

  @Test func `what has ended has a story, and cannot be ended again`() throws {
    let ended = try prompt(9, "Over", button: "yes")
    var state = state(queue: [], recent: [ended])
    _ = state.press(.tab)
    #expect(state.press(.enter) == .story(ended.id))
    #expect(state.press(.text("w")) == nil)
    #expect(state.notice == "This prompt has already ended.")
    state.story = TopState.Story(lines: (1...100).map { "line \($0)" })
    #expect(text(state)[1] == "line 1")
    _ = state.press(.end)
    #expect(text(state)[21] == "line 100")
    _ = state.press(.escape)
    #expect(state.story == nil)
  }

  @Test func `a filter narrows both lists until Escape`() throws {
    var state = state(
      queue: [try prompt(1, "Deploy"), try prompt(2, "Delete")], recent: [try prompt(3, "Deploy", button: "yes")])
    for key in [Key.text("/"), .text("d"), .text("e"), .text("l"), .enter] { #expect(state.press(key) == nil) }
    #expect(state.rows(.queue).map(\.request.heading) == ["Delete"] && state.rows(.recent).isEmpty)
    #expect(text(state).last?.contains("filter: del") == true)
    _ = state.press(.escape)
    #expect(state.rows(.queue).count == 2)
  }

  @Test func `rows say what an agent asked, and which agent`() throws {
    let prompts: [Presentation] = [.agent("npm test", session: "a1b2c3"), .agent("make deploy", session: "d4e5f6")]
    var state = state(queue: prompts, recent: [.agent("ls", in: "/srv/blog", outcome: .expired(.presented))])
    let lines = text(state)
    for words in [
      ["claude-code · shop · b2c3  1 prompt"], ["Run this? · npm test"], ["claude-code · shop · e5f6  1 prompt"],
      ["make deploy"], ["· blog · s", "· ls"],
    ] {
      #expect(lines.contains { line in words.allSatisfy { line.contains($0) } }, "\(lines)")
    }
    for key in "/blog".map({ Key.text(String($0)) }) { _ = state.press(key) }
    #expect(state.rows(.queue).isEmpty && state.rows(.recent).count == 1)
  }

  @Test func `groups the queue by session, selects only prompts, and lists it in queue order after o`() throws {
    let apps = ["deploy", "backup", "deploy", "mail"]
    let prompts = try apps.enumerated().map { try prompt($0, "Prompt \($0)", app: $1) }
    var state = state(queue: prompts)
    #expect(text(state)[1].hasSuffix(" o: queue order ━━"))
    #expect(text(state)[2].hasPrefix("  # "))
    let heads = ["deploy  2 prompts", "backup  1 prompt", "mail  1 prompt"]
    #expect([3, 6, 8].map { text(state)[$0] } == heads)
    for (place, row) in zip([0, 2, 1, 3], [4, 5, 7, 9]) {
      #expect(state.current?.id == prompts[place].id)
      #expect(text(state)[row].hasPrefix("› ") && text(state)[row].hasSuffix("Prompt \(place)"))
      _ = state.press(.down)
    }
    _ = state.press(.text("o"))
    #expect(state.rows(.queue).map(\.id) == prompts.map(\.id) && state.current?.id == prompts[3].id)
    #expect(text(state)[1].hasSuffix(" o: by session ━━") && text(state)[2].contains(" APP "))
    #expect(!text(state).contains(heads[0]))
    _ = state.press(.text("o"))
    #expect(text(state)[3] == heads[0])
  }

  @Test func `shows no heading if the filter leaves one session`() throws {
    let prompts = [try prompt(1, "First"), try prompt(2, "Second", app: "backup"), try prompt(3, "Third")]
    var state = state(queue: prompts)
    for key in "/deploy".map({ Key.text(String($0)) }) + [.enter] { _ = state.press(key) }
    #expect(state.rows(.queue).map(\.request.heading) == ["First", "Third"])
    #expect(text(state)[1].hasPrefix("━━ QUEUE 2 ━") && !text(state)[1].contains("o:"))
    #expect(text(state)[3].hasPrefix("› ") && text(state)[4].hasPrefix("  "))
    _ = state.press(.escape)
    #expect(text(state)[3] == "deploy  2 prompts")
  }

  @Test func `keeps the heading of a group that is scrolled past`() throws {
    let prompts = try (0..<60).map { try prompt($0, "Prompt \($0)", app: $0 % 2 == 0 ? "deploy" : "backup") }
    var state = state(queue: prompts)
    for (key, head, title) in [(Key.end, "backup  30 prompts", "Prompt 59"), (.home, "deploy  30 prompts", "Prompt 0")] {
      _ = state.press(key)
      #expect(text(state)[3] == head)
      #expect(text(state).contains { $0.hasPrefix("› ") && $0.hasSuffix(title) })
    }
    // With room for one line, it is the selected prompt's.
    for _ in prompts {
      #expect(text(state, 80, 8).contains { $0.hasPrefix("› ") })
      _ = state.press(.down)
    }
  }

  @Test func `answers stand there as the person saw them`() throws {
    #expect(text(state(queue: [], recent: [try prompt(3, "Deploy?", button: "yes")])).contains { $0.contains("Yes, do it") })
  }

  @Test(arguments: [(20, 8), (40, 12), (80, 24), (200, 50)])
  func `every frame fits, and shows the selected prompt`(columns: Int, rows: Int) throws {
    let prompts = try (1...60).map { try prompt($0, "A title of many words, that is number \($0)", app: "deploy-\($0 % 7)") }
    var state = state(queue: prompts, recent: try (100...160).map { try prompt($0, "Ended \($0)", button: "yes") })
    let presenter = AttachedPresenter(name: "seat", uid: 0, since: Timestamp(milliseconds: 0))
    state.data.seats = [TopData.Seat](repeating: TopData.Seat(surface: "main", presenter: presenter), count: 9)
    for key in [Key.home, .end, .tab, .end] {
      _ = state.press(key)
      let lines = text(state, columns, rows)
      #expect(lines.count == rows - 1)
      #expect(lines.allSatisfy { $0.columns <= max(columns, 60) }, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("›") })
    }
  }

  @Test func `without the role audit it says so`() throws {
    #expect(text(state(queue: [], recent: nil)).contains { $0.contains("role audit") })
  }
}
