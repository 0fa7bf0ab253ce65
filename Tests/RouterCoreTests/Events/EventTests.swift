import FoundationEssentials
import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

/// Encoding and decoding of events.
@Suite struct EventTests {
  private static let at = Moment(.zero).wall
  private static let id = PresentationID(name: "a")
  private static let by = Presentation.Responder(
    process: ProcessIdentity(uid: 1, gid: 2, pid: 3, executable: "/bin/sh", unit: "a.service", host: "far"),
    presenter: "p1")

  private static func ask(_ fill: (inout PresentationRequest) -> Void = { _ in }) -> Event.Requested {
    var request = PresentationRequest(kind: .sheet, sheet: "contact", payload: ["a": [1, true, .null]], metadata: ["k": "v"])
    request.timeout = .milliseconds(1_500)
    fill(&request)
    let asked = Asked(
      requester: Presentation.Requester(app: "test", process: by.process), request: request, at: at, number: 7,
      key: IdempotencyKey(text: "key", requestHash: [1, 255]))
    return Event.Requested(
      asked: asked, attached: true, place: PresentationPlace(lane: 0, rank: -3), level: 2, hasCallback: true)
  }

  private static let ofPresentation: [Event.Detail] = [
    .requested(ask()),
    .presented(
      Event.Presented(
        surface: "main", generation: 2, level: 1, presenters: [AttachedPresenter(name: "p1", uid: 1, since: at)])),
    .withdrawn(Event.Withdrawn(reason: .covered, generation: 1, place: nil, shownFor: .milliseconds(1_234))),
    .withdrawn(
      Event.Withdrawn(
        reason: .interrupted, generation: 1, place: PresentationPlace(lane: 0, rank: -1), shownFor: nil)),
    .withdrawn(
      Event.Withdrawn(
        reason: .snoozed, generation: 1, place: PresentationPlace(lane: 3, round: 1, rank: 4), shownFor: .seconds(1),
        until: at, by: by)),
    .deferred(Event.Deferred(until: at, by: nil)), .deferred(Event.Deferred(until: at, by: by)), .woken(Event.Woken(by: nil)),
    .woken(Event.Woken(by: by)), .paused(pause),
    .answered(Event.Answered(answer: .value(["x": true]), by: by, generation: 1, shownFor: .zero)),
    .answered(Event.Answered(answer: .value(1), extra: AnswerExtra(comment: "why"), by: by, generation: 1)),
    .resolved(Event.Resolved(outcome: .answered(.button("ok")), by: by, finishedBy: by, generation: 4, shownFor: .seconds(2))),
    .resolved(Event.Resolved(outcome: .answered(.value(.null)))),
    .resolved(Event.Resolved(outcome: .answered(.button("ok")), by: by, because: .grant(id))),
    .resolved(
      Event.Resolved(
        outcome: .cancelled(.refused), extra: AnswerExtra(comment: "No."), because: .rule("no", rules: rules.digest))),
    .granted(grant),
    .resolved(Event.Resolved(outcome: .answered(.button("ok")), extra: AnswerExtra(comment: "why"))),
    .resolved(Event.Resolved(outcome: .dismissed, by: by)),
    .resolved(Event.Resolved(outcome: .dismissed, extra: AnswerExtra(comment: "not now"), by: by)),
    .resolved(Event.Resolved(outcome: .cancelled(.busy))),
    .resolved(Event.Resolved(outcome: .expired(.queued))),
    .resolved(Event.Resolved(outcome: .failed("cannot open the display"))),
    .presenterFailed(Event.PresenterFailed(by: by, generation: 2, detail: "no display")),
    .detached, .delivered, .ran(Presentation.Ran(ActReport(act: "ab", .status(3), duration: .milliseconds(1_500)), by: by)),
    .ran(Presentation.Ran(ActReport(act: "ab", .signal(15)), by: by)),
    .ran(Presentation.Ran(ActReport(act: "ab", .failed("no room")), by: by)),
    .ran(Presentation.Ran(ActReport(act: "ab", .notRun("a file changed")), by: by)),
    .callbackDelivered(Event.CallbackDelivered(attempts: 3)),
    .callbackFailed(Event.CallbackFailed(error: "refused", attempts: 1, nextIn: .seconds(1))),
    .callbackFailed(Event.CallbackFailed(error: "refused", attempts: 10, nextIn: nil)),
    .throttled(Event.Throttled(uid: 1, app: "test", duration: .seconds(10))),
    .accessDenied(Event.AccessDenied(by: by, what: "answer", reason: "not a presenter", unrecorded: 2)),
  ]

  private static let ofNone: [Event.Detail] = [
    .presenterAttached(Event.PresenterAttached(surface: "main", by: by)),
    .presenterDetached(Event.PresenterDetached(surface: "main", by: by)),
    .daemonStarted(Event.Daemon(by)), .daemonStopped(Event.Daemon(by)),
    .pageLinkIssued(Event.PageLinkIssued(by: by, uid: 1001)),
    .revoked(Event.Revoked(grant: id, by: by)), .revoked(Event.Revoked(grant: id, by: nil)),
    .resumed(Event.Resumed(pause: id, by: by)), .switched(off), .switched(Switch(isOff: false, by: by)),
    .rulesLoaded(Event.RulesLoaded(rules)), .rulesLoaded(Event.RulesLoaded(rules, by: by)),
    .pruned(
      Event.Pruned(
        anchor: AuditHead(seq: 9, hash: [0, 171]), before: at, events: 9, lastNumber: 3, carried: [], grants: [grant],
        rules: rules, pauses: [pause], by: by)),
    .pruned(
      Event.Pruned(
        anchor: AuditHead(seq: 9, hash: [0, 171]), before: at, events: 9, lastNumber: 3, carried: [carried], by: by)),
  ]

  private static var rules: RuleSet {
    let json: JSONValue = ["id": "no", "match": ["act": ["verb": "Bash"]], "then": "deny", "message": "No."]
    do { return RuleSet(file: "/r", text: "no", host: "alpha", rules: [try Rule(json: json, at: "")]) } catch {
      preconditionFailure("\(error)")
    }
  }

  private static var grant: Grant {
    let json: JSONValue = [
      "grant": .string(id.description), "surface": "main", "button": "ok", "label": "OK", "refuses": true,
      "act": ["verb": "Bash", "argv": ["git", "push"]], "match": "prefix", "count": 2, "uid": 1, "host": "alpha", "app": "test",
      "anchor": "bash", "session": ["pid": 7, "started": 70, "boot": "b"], "grantedAt": .string(at.description),
      "presentation": .string(id.description), "by": ["uid": 1, "gid": 1, "pid": 2],
    ]
    do { return try Grant(json: json) } catch { preconditionFailure("\(error)") }
  }

  private static var off: Switch { Switch(isOff: true, until: at, by: by) }

  private static var pause: SessionPause { SessionPause(carried, until: at, by: by) }

  private static var carried: Presentation {
    var presentation = Presentation(id, ask())
    presentation.shownFor = .milliseconds(250)
    presentation.shownSince = at
    return presentation
  }

  private static let samples =
    ofPresentation.map { Event(at: at, presentation: id, $0) } + ofNone.map { Event(at: at, $0) }

  @Test(arguments: AuditEvent.Kind.allCases) func `every kind has a sample`(kind: AuditEvent.Kind) {
    #expect(Self.samples.contains { $0.kind == kind })
  }

  @Test(arguments: samples) func `round-trips every event`(event: Event) throws {
    #expect(try event.throughJSON() == event)
  }

  @Test func `truncates durations to the millisecond`() throws {
    func withdrawn(_ shownFor: Duration) -> Event {
      Event(
        at: Self.at, presentation: Self.id,
        .withdrawn(Event.Withdrawn(reason: .covered, generation: 1, place: nil, shownFor: shownFor)))
    }
    let precise = withdrawn(.microseconds(1_600))
    let read = try Event(
      at: precise.at, kind: precise.kind, presentation: precise.presentation,
      detail: JSONValue(parsing: precise.detailText.description))
    #expect(read == withdrawn(.milliseconds(1)))
  }

  @Test func `keeps number, key and position across a prune`() throws {
    guard case .pruned(let pruned) = try #require(Self.samples.last).throughJSON().detail else { return }
    let read = try #require(pruned.carried.first)
    #expect(read == Self.carried)
    #expect(read.number == 7)
    #expect(read.key == Self.carried.key)
  }

  @Test(arguments: [
    (AuditEvent.Kind.dismissed, #"{"outcome":{"type":"answered","button":"ok"}}"#),
    (.callbackFailed, #"{"error":"refused","attempts":1,"state":"failed","nextIn":1}"#),
    (.callbackFailed, #"{"error":"refused","attempts":1,"state":"pending"}"#),
    (.presented, #"{"surface":"main","generation":1,"level":0,"presenters":[],"other":1}"#),
    (.withdrawn, #"{"reason":"tired","generation":1}"#),
  ]) func `rejects a detail that does not fit its kind`(kind: AuditEvent.Kind, detail: String) throws {
    let detail = try JSONValue(parsing: detail)
    #expect(throws: JSONError.self) {
      try Event(at: Self.at, kind: kind, presentation: Self.id, detail: detail)
    }
  }
}
