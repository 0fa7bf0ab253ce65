import RouterCore
import TestSupport
import Testing

/// Ownership: who may end a presentation, and what happens without its requester.
@Suite struct RequesterTests {
  private let a = PresentationID(name: "a")

  // MARK: Owner and administrator

  @Test func `lets the owner and an administrator cancel, and reports which one did`() throws {
    var scene = Scene()
    for name in "ab" { try scene.ask(name, uid: 1) }
    #expect(try scene.cancel("a", uid: 2, isAdmin: true) == ["a cancelled/admin", "b presented 1"])
    #expect(try scene.cancel("b", uid: 1, isAdmin: true) == ["b cancelled/requester"])
  }

  @Test func `hides other users' presentations`() throws {
    var scene = Scene()
    try scene.askFlow("a")
    try scene.answer("a")
    #expect(throws: PresentationRejection.notOpen) { try scene.cancel("a", uid: 2) }
    #expect(throws: PresentationRejection.notOpen) { try scene.finish("a", uid: 2) }
    #expect(try scene.finish("a", uid: 2, isAdmin: true) == ["a answered"])
  }

  @Test func `treats the same uid on another host as another user`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.requester.process.host = "far" }
    #expect(throws: PresentationRejection.notOpen) { try scene.cancel("a", uid: 1) }
    #expect(throws: PresentationRejection.unknownParent) { try scene.ask("b", over: "a", uid: 1) }
    #expect(try scene.ask("c", uid: 1) { $0.draft.conflictPolicy = .cancelPrevious } == ["c requested", "c cancelled/busy"])
  }

  @Test func `only closes a sheet without an answer`() throws {
    var scene = Scene()
    try scene.ask("a") {
      $0.makeSheet()
      $0.draft.hasAnswer = false
    }
    for answer in [PresentationAnswer.value([:]), .button("ok")] {
      let refusal = PresentationRejection.answerDoesNotFit(JSONError("this prompt has no answer; close it"))
      #expect(throws: refusal) { try scene.answer("a", with: answer) }
    }
    #expect(try scene.dismiss("a") == ["a dismissed"])
  }

  // MARK: Attached and detached

  @Test func `ends attached requests with their requester and keeps detached ones`() throws {
    var scene = Scene()
    try scene.ask("a")
    try scene.ask("b") { $0.attached = false }
    #expect(
      try scene.handle(.change(a, Verbs.RequesterGone(.requesterGone))) == ["a cancelled/requesterGone", "b presented 1"])
    #expect(try scene.handle(.change(PresentationID(name: "b"), Verbs.RequesterGone(.requesterGone))) == [])
    #expect(throws: PresentationRejection.notOpen) { try scene.handle(.change(a, Verbs.RequesterGone(.requesterGone))) }
  }

  @Test func `keeps a request detached later, and ignores repeated detaching`() throws {
    var scene = Scene()
    try scene.ask("a")
    #expect(try scene.handle(.change(a, Verbs.Detach())) == ["a detached"])
    #expect(try scene.handle(.change(a, Verbs.Detach())) == [])
    #expect(try scene.handle(.change(a, Verbs.RequesterGone(.requesterGone))) == [])
    #expect(scene.stack() == "a")
    #expect(scene.restart() == ["a withdrawn 1 interrupted"])
  }

  @Test func `rejects detaching a sensitive request or a flow`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.sensitive = true }
    try scene.askFlow("b")
    #expect(throws: PresentationRejection.sensitiveDetached) { try scene.handle(.change(a, Verbs.Detach())) }
    #expect(throws: PresentationRejection.flowDetached) { try scene.handle(.change(PresentationID(name: "b"), Verbs.Detach())) }
    #expect(throws: PresentationRejection.sensitiveDetached) {
      try scene.ask("c") {
        $0.attached = false
        $0.draft.sensitive = true
      }
    }
    #expect(throws: PresentationRejection.flowDetached) { try scene.askFlow("c") { $0.attached = false } }
  }

  // MARK: Rejected requests and answers

  @Test func `rejects a malformed request and fills in defaults`() throws {
    var scene = Scene()
    #expect(throws: PresentationRejection.invalid(JSONError("is missing", at: "/title"))) {
      try scene.ask("a") { $0.draft.title = nil }
    }
    try scene.ask("a")
    #expect(scene.surfaces.entry(a)?.request.buttons.map(\.id) == ["ok"])
  }

  @Test func `rejects an invalid answer, and checks for a stale generation first`() throws {
    var scene = Scene()
    try scene.ask("a")
    #expect(throws: PresentationRejection.answerDoesNotFit(JSONError("must be one of ok", at: "/button"))) {
      try scene.answer("a", with: .button("no"))
    }
    #expect(throws: PresentationRejection.staleGeneration(1)) {
      try scene.answer("a", generation: 0, with: .button("no"))
    }
    #expect(try scene.answer("a") == ["a answered"])
  }

  @Test func `throttles new requests but not joining an open one`() throws {
    var scene = Scene()
    let pause = DismissalBackoff.Delay(.seconds(3), .dismissals(3))
    try scene.ask("a") { $0.useKey("k") }
    #expect(throws: PresentationRejection.throttled(pause, app: "test")) { try scene.ask("b") { $0.throttled = pause } }
    #expect(
      try scene.ask("c") {
        $0.useKey("k")
        $0.throttled = pause
      } == [])
    #expect(scene.ordered() == "a")
  }

  @Test func `rejects a callback if callbacks are not supported`() throws {
    var surfaces = PresentationSurfaces(.init(callsBack: false))
    var ask = PresentationAsk(a)
    ask.draft.onDismiss = try PresentationRequest.CallbackAddress("http+unix://%2Frun%2Fapp.sock/dismissed")
    #expect(throws: PresentationRejection.noCallbacks) { try surfaces.handle(.request(ask), at: .zero) }
    #expect(surfaces.count == 0)
  }

  @Test func `delivers a sensitive answer to its requester without logging it`() throws {
    var scene = Scene()
    try scene.ask("a") { $0.draft.sensitive = true }
    let answer = PresentationInput.change(a, Verbs.Answer(.button("ok")), generation: 1)
    let events = try scene.surfaces.handle(answer, at: scene.moment)
    let end = Change.End(
      outcome: .answered(.redacted), secret: .button("ok"), generation: 1, shownFor: .zero)
    #expect(events.map(Change.init) == [.resolved(a, end)])
    #expect(events.allSatisfy { !$0.detailText.description.contains("ok") })
  }
}
