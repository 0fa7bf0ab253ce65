import Router
import RouterTesting
import TestSupport
import Testing

/// The format of the inbox.
struct SharedInputTests {
  @Test func `reads every input as it was written`() throws {
    let by = Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 2, pid: 3, executable: "/bin/sh"), presenter: "me")
    let id = PresentationID(number: 1)
    var ask = PresentationAsk(id, uid: 7)
    ask.useKey("key")
    ask = try ask.checked()
    var only = PresenterIdentity(4)
    only.scope.only = id
    let failure = Event.CallbackFailed(error: "no", attempts: 2, nextIn: .seconds(3))
    let report = ActReport(act: "ab", .notRun("a file changed"), duration: .seconds(1))
    let inputs: [SharedInput] = [
      .input(.request(ask)),
      .input(.change(id, Verbs.Answer(.button("yes"), AnswerExtra(comment: "why")), generation: 2, by: by)),
      .input(.change(id, Verbs.Answer(.value(["a": [1, .null]])), by: by)),
      .input(.change(id, Verbs.Answer(.value(.null)), generation: 1, by: by)),
      .input(.change(id, Verbs.Dismiss(), generation: 1, by: by)),
      .input(.change(id, Verbs.Fail("no display"), generation: 3, by: by)),
      .input(.change(id, Verbs.Cancel(), by: by, isAdmin: true)), .input(.change(id, Verbs.Finish(), by: by)),
      .input(.change(id, Verbs.PauseSession(for: .seconds(60)), by: by)), .input(.endPause(id, by: by)),
      .input(.revoke(id, by: by, isAdmin: true)), .input(.change(id, Verbs.Detach())),
      .input(.change(id, Verbs.RequesterGone(.requesterGone))), .input(.change(id, Verbs.Claim())),
      .input(.presenterAttached(PresenterID(4), only, surface: "ops")),
      .input(.presenterDetached(PresenterID(4), surface: "ops")), .restarted, .presenters([PresenterID(4): only]),
      .presenters([:]), .record(Event(at: Timestamp(milliseconds: 5), presentation: id, .delivered)),
      .record(
        Event(at: Timestamp(milliseconds: 5), presentation: id, .callbackDelivered(Event.CallbackDelivered(attempts: 2)))),
      .record(Event(at: Timestamp(milliseconds: 5), presentation: id, .callbackFailed(failure))),
      .record(Event(at: Timestamp(milliseconds: 5), presentation: id, .ran(Presentation.Ran(report, by: by)))),
    ]
    for input in inputs {
      let text = JSONText(input).description
      #expect(try SharedInput(json: JSONValue(parsing: text)) == input, "\(text)")
    }
  }

  @Test func `ignores the toggle of a host of an earlier version`() throws {
    let id = PresentationID(number: 1)
    let by = Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 2, pid: 3), presenter: "me")
    let inputs: [SharedInput] = [
      .input(.request(try PresentationAsk(id, uid: 7).checked())),
      .input(.change(id, Verbs.Answer(.button("yes")), generation: 1, by: by)),
    ]
    for input in inputs {
      var json = try #require(JSONValue(parsing: JSONText(input).description).object)
      if var request = json["request"]?.object {
        request["suppressionToggle"] = "Don't ask again"
        json["request"] = .object(request)
      } else {
        json["isSuppressed"] = true
      }
      #expect(try SharedInput(json: .object(json)) == input)
    }
    // A program's answer with it is refused.
    let refusal = #expect(throws: JSONError.self) {
      try ActBody<Verbs.Answer>(json: ["button": "yes", "isSuppressed": true])
    }
    #expect(refusal?.description == "/isSuppressed: is not a known field")
  }

  @Test func `puts every process of an input on the host that sent it`() throws {
    let by = Presentation.Responder(process: ProcessIdentity(uid: 1, gid: 2, pid: 3, host: "liar"))
    let id = PresentationID(number: 1)
    var ask = PresentationAsk(id)
    ask.requester.process.host = "liar"
    var identity = PresenterIdentity(1)
    identity.process.host = "liar"
    var presenter = PresenterID(1)
    presenter.host = "liar"
    let inputs: [SharedInput] = [
      .input(.request(ask)), .input(.change(id, Verbs.Answer(.button("yes")), generation: 1, by: by)),
      .input(.change(id, Verbs.Dismiss(), generation: 1, by: by)), .input(.change(id, Verbs.Fail(""), generation: 1, by: by)),
      .input(.change(id, Verbs.PauseSession(for: .seconds(60)), by: by)), .input(.endPause(id, by: by)),
      .input(.change(id, Verbs.Cancel(), by: by)), .input(.change(id, Verbs.Finish(), by: by)),
      .input(.presenterAttached(presenter, identity, surface: "ops")),
      .input(.presenterDetached(presenter, surface: "ops")), .presenters([presenter: identity]),
      .record(
        Event(
          at: Timestamp(milliseconds: 5), presentation: id, .ran(Presentation.Ran(ActReport(act: "ab", .status(0)), by: by)))),
    ]
    for input in inputs {
      var text = ""
      dump(input.stamped(host: "alpha"), to: &text)
      #expect(!text.contains("liar") && text.contains("alpha"), "\(text)")
    }
  }

  @Test(arguments: [
    "requested", "presented", "answered", "pruned", "daemonStarted", "presenterAttached", "accessDenied", "throttled",
    "granted", "revoked", "paused", "resumed", "deferred", "rulesLoaded",
  ])
  func `does not accept a decision as a report`(kind: String) {
    let json: JSONValue = ["type": "record", "event": .string(kind), "at": "2026-01-01T00:00:00Z", "detail": [:]]
    #expect(throws: JSONError.self) { try SharedInput(json: json) }
  }

  @Test func `reads every reply as it was written`() throws {
    let id = PresentationID(number: 1)
    let replies: [SharedReply] = [
      .accepted, .joined(id), .ended(id), .notOpen, SharedReply(RouterError(.covered, id: id)),
      SharedReply(RouterError(.throttled(.init(.seconds(3), .requests(11))))), SharedReply(RouterError(.full(.user))),
    ]
    for reply in replies { #expect(try SharedReply(json: JSONValue(parsing: JSONText(reply).description)) == reply) }
  }
}
