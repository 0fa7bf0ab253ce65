import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

/// Rules as they are recorded and compared, and the clock's conditions.
struct RuleSetTests {
  @Test func `keeps rules through events and their JSON, and refuses a text that is not the hashed one`() throws {
    let set = try RuleTests.ruleSet(
      RuleTests.allow, RuleTests.deny,
      #"""
      {"id": "all", "match": {"user": [1, 2], "group": 5, "host": "h*", "unit": "u", "metadata": {"k": ["a", "b"]}, "kind": "alert",
        "act": {"verb": "V", "under": ["/a", "/b"], "directory": "/d", "environment": {"A": "1"}}}, "then": "ask",
        "priority": "low", "destructive": true, "remember": false}
      """#,
      #"{"id": "named", "match": {"user": 1, "act": {"verb": "Bash", "argv": ["git", "log"]}}, "then": "allow", "button": "yes"}"#,
      #"{"id": "two", "match": {"app": "x"}, "then": "require", "require": {"answers": 2}}"#, host: "alpha")
    let event = Event(at: Timestamp(milliseconds: 0), .rulesLoaded(Event.RulesLoaded(set, by: .user(3))))
    let detail = event.detailText.value
    let read = try Event(at: event.at, kind: .rulesLoaded, presentation: nil, detail: detail)
    #expect(read == event && read.detailText == event.detailText)
    var members = try #require(detail.object)
    members["text"] = "other"
    #expect(throws: JSONError.self) {
      try Event(at: event.at, kind: .rulesLoaded, presentation: nil, detail: .object(members))
    }
  }

  @Test func `decides by the local time of the request`() throws {
    let night = try RuleTests.rule(
      #"{"id": "night", "match": {"time": ["22:00-07:00", "12:00-13:30"], "weekday": ["mon", "tue"]}, "then": "deny"}"#)
    #expect(try Rule(json: night.json, at: "") == night)
    let request = PresentationRequest(kind: .alert, title: "Run?", buttons: RuleTests.buttons)
    let requester = Presentation.Requester(app: "a", process: RuleTests.process())
    for (minute, day, isMatch) in [
      (22 * 60, .mon, true), (6 * 60 + 59, .tue, true), (7 * 60, .mon, false), (0, .sun, false), (13 * 60 + 29, .mon, true),
      (13 * 60 + 30, .mon, false),
    ] as [(Int, DayTime.Weekday, Bool)] {
      let facts = RuleFacts(request, by: requester, at: DayTime(minute: minute, weekday: day), home: "")
      #expect(night.matches(facts) == isMatch, "\(minute) \(day)")
    }
    for text in ["22:00", "7:00-8:00", "24:01-07:00", "07:00-07:00", "22:60-07:00", "a-b"] {
      #expect(DayTime.Span(text) == nil, "\(text)")
    }
  }

  @Test func `says which rules are never reached`() throws {
    let broad = try RuleTests.rule(#"{"id": "a", "match": {"act": {"verb": "Bash"}}, "then": "ask"}"#)
    let narrow = try RuleTests.rule(
      #"{"id": "b", "match": {"app": "x", "act": {"verb": "Bash", "argv": ["ls"]}}, "then": "deny"}"#)
    let other = try RuleTests.rule(#"{"id": "c", "match": {"act": {"verb": "Edit"}}, "then": "deny"}"#)
    #expect(broad.hides(narrow) && !narrow.hides(broad) && !broad.hides(other))
    // A permission is passed over if something cannot be read.
    #expect(try !RuleTests.rule(RuleTests.allow).hides(narrow))
  }

  @Test func `accepts rules only from the host itself`() throws {
    let set = try RuleTests.ruleSet(RuleTests.deny)
    var surfaces = PresentationSurfaces()
    #expect(throws: PresentationRejection.notOpen) {
      try surfaces.check(.loadRules(Event.RulesLoaded(set)), from: "beta", on: "main")
    }
    // A leader puts its own in force, once.
    var events: [Event] = []
    surfaces.policy.rules = set.on("alpha")
    var fold = PresentationFold()
    surfaces = PresentationSurfaces(surfaces.policy, takingOver: fold, at: Moment(.zero), events: &events)
    #expect(events.map(\.kind) == [.rulesLoaded] && surfaces.standing.rules?.host == "alpha")
    for event in events { try fold.apply(event, at: Moment(.zero)) }
    events = []
    _ = PresentationSurfaces(surfaces.policy, takingOver: fold, at: Moment(.zero), events: &events)
    #expect(events.isEmpty)
  }
}
