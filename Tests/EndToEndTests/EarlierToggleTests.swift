import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

@testable import RouterCore
@testable import RouterLog

/// A log of a version whose prompts could have a toggle such as "Don't ask again".
@Suite(.timeLimit(.minutes(10)))
struct EarlierToggleTests {
  private static let answered = PresentationID("01a2218b-9038-74b9-80e8-33f57f4684d1")!
  private static let open = PresentationID("01a2218b-9098-73c3-a24c-506e475363a1")!

  /// The events as that version wrote them.
  private static let events: [(at: String, kind: AuditEvent.Kind, presentation: PresentationID, detail: String)] = [
    (
      "2026-11-28T09:45:24.280Z", .requested, answered,
      #"""
      {"requester":{"app":"deploy","uid":1000,"gid":1000,"pid":42,"executable":null},"request":{"kind":"alert","title":"Deploy 1.4.2?","buttons":[{"id":"yes","label":"Deploy"},{"id":"no","label":"Keep","role":"cancel"}],"suppressionToggle":"Don't ask again","surface":"main","priority":"normal","conflictPolicy":"enqueue"},"attached":true,"number":1,"place":{"lane":3,"round":0,"rank":0},"level":0}
      """#
    ),
    (
      "2026-11-28T09:45:24.280Z", .presented, answered,
      #"{"surface":"main","generation":1,"level":0,"presenters":[{"name":"test","uid":1000,"since":"2026-11-28T09:45:23.234Z"}]}"#
    ),
    (
      "2026-11-28T09:45:24.292Z", .answered, answered,
      #"""
      {"outcome":{"type":"answered","button":"yes","isSuppressed":true,"comment":"go"},"by":{"uid":1000,"gid":1000,"pid":43,"executable":null,"presenter":"test"},"generation":1,"shownFor":0.011}
      """#
    ),
    ("2026-11-28T09:45:24.295Z", .delivered, answered, "{}"),
    (
      "2026-11-28T09:45:24.376Z", .requested, open,
      #"""
      {"requester":{"app":"deploy","uid":1000,"gid":1000,"pid":44,"executable":null},"request":{"kind":"alert","title":"Deploy 1.4.3?","buttons":[{"id":"yes","label":"Deploy"},{"id":"no","label":"Keep","role":"cancel"}],"suppressionToggle":"Never","surface":"main","priority":"normal","conflictPolicy":"enqueue"},"attached":false,"number":2,"place":{"lane":3,"round":0,"rank":0},"level":0}
      """#
    ),
  ]

  @Test func `opens, verifies and continues`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("log.db")
    let log = try AuditLog(path: path)
    let details = try Self.events.map { try JSONValue(parsing: $0.detail) }
    try await log.append(
      zip(Self.events, details).map { event, detail in
        try Event(at: #require(Timestamp(event.at)), kind: event.kind, presentation: event.presentation, detail: detail)
      })
    await log.close()
    // The hash of an event and the rows contain what was recorded.
    let reader = try AuditReader(path: path)
    let recorded = try await reader.eventPage(AuditQuery()).page.sorted { $0.seq < $1.seq }
    #expect(recorded.map(\.detail) == details)
    let row = try #require(try await reader.presentation(Self.answered)).json
    #expect(row["request"]?["suppressionToggle"] == "Don't ask again" && row["outcome"]?["isSuppressed"] == true)

    try await TestDaemon.run(database: path) { daemon in
      let presenter = TestPresenter(daemon.client)
      let shown = try await presenter.nextPresentation()
      #expect(shown.id == Self.open)
      try await presenter.press(id: "no", on: shown)
      let earlier = try await daemon.client.presentation(Self.answered)
      #expect(earlier.outcome == .answered(.button("yes")) && earlier.comment == "go")
      await daemon.end(by: SIGTERM)
      let verify = try ChildProcess("routerctl", ["log", "verify", "--database", path])
      #expect(await verify.allOutput().contains { $0.contains("intact") })
      await verify.expectExit()
      let story = try ChildProcess("routerctl", ["log", "show", Self.answered.description, "--database", path])
      #expect(await story.allOutput().contains { $0.contains(" answered          Deploy [yes]: “go”") })
      await story.expectExit()
    }
  }
}
