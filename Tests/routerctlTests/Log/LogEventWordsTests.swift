import Router
import Testing

@testable import routerctl

struct LogEventWordsTests {
  private func event(
    _ kind: AuditEvent.Kind, _ detail: JSONValue, at time: String = "2026-11-21T07:00:01.250Z"
  ) throws -> AuditEvent {
    try AuditEvent(json: [
      "seq": 7, "at": .string(time), "type": .string(kind.rawValue),
      "presentation": "019aa3c4-7b1e-7c55-9f0e-3d215f0c1a2b", "detail": detail,
    ])
  }

  private func sentence(_ kind: AuditEvent.Kind, _ detail: JSONValue) throws -> String {
    LogEventWords(event: try event(kind, detail), users: .samples).sentence
  }

  @Test func `summarizes each kind of event`() throws {
    let ada: JSONValue = ["uid": 1000, "gid": 1000, "pid": 42, "executable": nil, "presenter": "terminal"]
    let requester: JSONValue = ["app": "deploy", "uid": 1000, "gid": 1000, "pid": 42, "executable": nil]
    #expect(
      try sentence(.requested, ["requester": requester, "request": ["kind": "alert", "title": "Go?"]])
        == "alert Go?, from deploy, by ada")
    #expect(
      try sentence(
        .presented,
        [
          "surface": "main", "generation": 2, "level": 1,
          "presenters": [["name": "terminal", "uid": 1000], ["name": "page", "uid": 7]],
        ])
        == "on main, at level 1, showing 2, at ada@terminal, 7@page")
    #expect(
      try sentence(.withdrawn, ["reason": "presenterGone", "generation": 1, "shownFor": .seconds(.milliseconds(4500))])
        == "presenterGone, after 4.5s, showing 1")
    let until = Timestamp(milliseconds: 1_800_000_000_000)
    #expect(
      try sentence(.withdrawn, ["reason": "snoozed", "until": .string("\(until)"), "by": ada])
        == "snoozed, until \(LocalTime.system.text(until)), by ada@terminal")
    #expect(try sentence(.woken, [:]) == "its time had come")
    #expect(try sentence(.woken, ["by": ada]) == "by ada@terminal")
    #expect(
      try sentence(.ran, ["act": "ab", "status": 3, "duration": 62, "by": ada])
        == "ran 3, after 1m02s, reported by ada@terminal")
    #expect(
      try sentence(.ran, ["act": "ab", "notRun": "a file\u{1B} changed", "by": ada])
        == #"not run: a file\u{1B} changed, reported by ada@terminal"#)
    #expect(
      try sentence(.answered, ["outcome": ["type": "answered", "button": "go"], "by": ada, "generation": 1, "shownFor": 62])
        == "go, by ada@terminal, after 1m02s, showing 1")
    #expect(try sentence(.answered, ["outcome": ["type": "answered", "value": ["a": 1]]]) == #"{"a":1}"#)
    #expect(
      try sentence(.answered, ["outcome": ["type": "answered", "value": 7], "by": ada, "stays": true, "generation": 2])
        == "7, by ada@terminal, showing 2, and stays open")
    let finisher: JSONValue = ["uid": 1000, "gid": 1000, "pid": 7, "executable": nil, "presenter": nil]
    #expect(
      try sentence(.answered, ["outcome": ["type": "answered", "value": 7], "by": ada, "finishedBy": finisher])
        == "7, by ada@terminal, finished by ada")
    #expect(try sentence(.answered, ["outcome": ["type": "answered", "redacted": true]]) == "not recorded")
    #expect(try sentence(.cancelled, ["outcome": ["type": "cancelled", "reason": "busy"]]) == "busy")
    #expect(try sentence(.expired, ["outcome": ["type": "expired", "phase": "queued"]]) == "queued")
    #expect(try sentence(.failed, ["outcome": ["type": "failed", "detail": "no\ndisplay"]]) == #"no\u{A}display"#)
    #expect(
      try sentence(.presenterFailed, ["by": ada, "generation": 1, "detail": "no display"])
        == "ada@terminal could not show it (no display)")
    #expect(try sentence(.presenterAttached, ["surface": "main", "by": ada]) == "ada@terminal, on main")
    #expect(try sentence(.throttled, ["uid": 7, "app": "agent", "for": 20]) == "app agent, for 20s, 7")
    #expect(try sentence(.pageLinkIssued, ["uid": 8, "by": ["uid": 7, "pid": 9]]) == "for 8, by 7, pid 9")
    #expect(try sentence(.accessDenied, ["what": "GET /v1/log", "by": ["uid": 7, "pid": 9]]) == "GET /v1/log, by 7, pid 9")
  }

  @Test(arguments: AuditEvent.Kind.allCases)
  func `summarizes an event with a foreign detail without it`(kind: AuditEvent.Kind) throws {
    for detail: JSONValue in [
      [:], nil, 3, ["by": 3, "request": [], "outcome": "x", "presenters": "x", "shownFor": "y", "stays": 1],
    ] {
      #expect(!(try sentence(kind, detail)).contains("\n"))
    }
  }

  @Test func `truncates an event's line on a terminal, but not in a pipe`() throws {
    let event = try event(.failed, ["outcome": ["type": "failed", "detail": .string(String(repeating: "long ", count: 50))]])
    let words = LogEventWords(event: event, users: .samples)
    let zone = LocalTime.fixed(secondsEast: 0)
    #expect(words.line(zone: zone, style: .terminal(90)).columns <= 90)
    #expect(words.line(zone: zone, style: .plain).hasPrefix("2026-11-21 07:00:01.250 failed            5f0c1a2b long long"))
    #expect(words.line(zone: zone, style: .plain).columns > 250)
  }

  @Test func `shows the request and the time since it for each event`() throws {
    let requester: JSONValue = ["app": "deploy", "uid": 1000, "gid": 1000, "pid": 42, "executable": "/usr/bin/de\u{1B}ploy"]
    let request: JSONValue = [
      "kind": "alert", "title": "Go?", "message": "one\ntwo", "buttons": [["id": "ok", "label": "OK"]], "surface": "desk",
    ]
    let answered = try event(
      .answered, ["outcome": ["type": "answered", "button": "go"]], at: "2026-11-21T07:00:43.250Z")
    let requested = try event(.requested, ["requester": requester, "request": request, "attached": true])
    let timeline = LogTimeline(
      events: [requested, answered], zone: .fixed(secondsEast: 0), users: .samples, style: .plain)
    #expect(
      timeline.lines == [
        "019aa3c4-7b1e-7c55-9f0e-3d215f0c1a2b", "kind       alert", "title      Go?", "message    one", "           two",
        "buttons    OK",
        #"requester  deploy, user ada (uid 1000), pid 42, /usr/bin/de\u{1B}ploy"#, "surface    desk",
        "lifetime   ends with its requester's connection", "",
        "2026-11-21 07:00:01.250   +0.0s requested", "2026-11-21 07:00:43.250    +42s answered          go",
      ])
  }

  @Test func `a story has labels with ids, and a form's fields instead of JSON`() throws {
    let requester: JSONValue = ["app": "shop", "uid": 1000, "gid": 1000, "pid": 42]
    func story(_ request: JSONValue, _ outcome: JSONValue) throws -> [String] {
      let requested = try event(.requested, ["requester": requester, "request": request, "attached": true])
      let answered = try event(.answered, ["outcome": outcome])
      return LogTimeline(
        events: [requested, answered], zone: .fixed(secondsEast: 0), users: .samples, style: .plain
      ).lines
    }
    let buttons: JSONValue = [["id": "later", "label": "Not now", "role": "cancel"]]
    let alert = try story(
      ["kind": "alert", "title": "Go?", "buttons": buttons, "metadata": ["a": "1"]], ["type": "answered", "button": "later"])
    #expect(alert.contains("buttons    Not now [later]") && alert.contains("metadata   a=1"))
    #expect(alert.last?.hasSuffix("answered          Not now [later]") == true)
    let schema: JSONValue = [
      "type": "object", "properties": ["name": ["type": "string", "title": "Your name"], "gift": ["type": "boolean"]],
    ]
    let form = try story(
      ["kind": "sheet", "sheet": "order", "schema": schema],
      ["type": "answered", "value": ["name": "Ada", "gift": true]])
    #expect(form.contains("fields     Your name, gift"))
    let margin = String(repeating: " ", count: 33)
    #expect(form.suffix(2) == [margin + "Your name  Ada", margin + "gift       yes"])
  }
}
