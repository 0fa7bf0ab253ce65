import OrderedCollections
import Router
import Testing

@testable import routerctl

/// What a program says while its prompt waits for an answer elsewhere.
struct OutcomeWaitTests {
  private static let now = Timestamp("2026-11-27T19:30:00.000Z")!

  private func report(
    _ change: (inout Presentation) -> Void, presenters: [AttachedPresenter]?, surface: String = "main"
  ) -> String? {
    var request = PresentationRequest.deploy
    request.surface = surface
    var presentation = Presentation.sample(request)
    presentation.presentedAt = Self.now.advanced(by: .seconds(-60))
    change(&presentation)
    return OutcomeWait.report(
      presentation, presenters: presenters, now: Self.now, zone: .fixed(secondsEast: 0), users: UserNames { "user\($0)" })
  }

  private func presenter(
    _ name: String, since: Duration = .seconds(-7200), _ scope: [String: JSONValue] = [:]
  ) throws -> AttachedPresenter {
    let members: [String: JSONValue] = [
      "name": .string(name), "uid": 7, "since": .string(Self.now.advanced(by: since).description),
    ]
    return try AttachedPresenter(json: .object(OrderedDictionary(uniqueKeysWithValues: members.merging(scope) { $1 })), at: "")
  }

  @Test func `says where a prompt is shown, and since when`() throws {
    let presenters = [
      try presenter("page"), try presenter("later", ["after": 3600]),
      try presenter("inline", ["only": "01936f5e-1b2c-7def-8a90-000000000009"]),
      try presenter("terminal", since: .seconds(-100_000)),
    ]
    #expect(
      report({ _ in }, presenters: presenters)
        == "waiting: shown on main since 19:29: “page” of user7, there since 17:30; “terminal” of user7, there since 11-26 15:43"
    )
    #expect(report({ _ in }, presenters: nil, surface: "desk") == "waiting: shown on desk since 19:29")
    #expect(report({ $0.state = .resolved }, presenters: presenters) == nil)
  }

  @Test func `says until when a prompt is snoozed`() throws {
    let text = report(
      { presentation in
        presentation.state = .queued
        presentation.snoozedUntil = Self.now.advanced(by: .seconds(900))
      }, presenters: [try presenter("page")])
    #expect(text == "waiting: snoozed until 19:45")
  }

  @Test func `says what is ahead of a queued prompt, or that nobody presents`() throws {
    func queued(_ position: Int, _ presenters: [AttachedPresenter]?) -> String? {
      report({ ($0.state, $0.position) = (.queued, position) }, presenters: presenters)
    }
    #expect(queued(2, [try presenter("page")]) == "waiting: 2 prompts are ahead on main")
    #expect(queued(0, [try presenter("page")]) == nil)
    #expect(queued(0, []) == "waiting: surface main has no presenter. To answer: routerctl present")
  }
}
