import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// The logs of earlier versions in Tests/Versions/Logs.
/// Promise P97.
@Suite(.timeLimit(.minutes(5)))
struct EarlierLogTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Versions/Logs")

  @Test(arguments: ["0.1.0"]) func `opens, verifies and continues a log of an earlier version`(version: String) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("log.db")
    let packed = Self.folder.appending(path: version + ".db.gz").path
    await (try ChildProcess("/bin/sh", ["-c", "gzip -dc \"$0\" >\"$1\"", packed, path])).expectExit()
    try await verify(path)
    try await TestDaemon.run(database: path) { daemon in
      // The time of the snooze is over.
      let open = ["Still open?", "Snoozed?", "Next?"]
      #expect(try await daemon.client.presentations().map(\.request.title) == open)
      let presenter = TestPresenter(daemon.client)
      for title in open {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.title == title)
        try await presenter.press(id: "yes", on: shown)
        #expect(try await daemon.client.presentation(shown.id).outcome == .answered(.button("yes")))
      }
      let again = try await daemon.client.detach(.alert("A new one?"))
      try await presenter.press(id: "no", on: try await presenter.nextPresentation())
      #expect(try await daemon.client.presentation(again.id).outcome == .answered(.button("no")))
      try await verify(path)
      try await expectHistory(path)
      await daemon.end(by: SIGTERM)
    }
    try await verify(path)
    await (try ChildProcess("routerctl", ["log", "reindex", "--database", path])).expectExit()
    try await verify(path)
    try await expectHistory(path)
  }

  private func verify(_ path: String) async throws {
    await (try ChildProcess("routerctl", ["log", "verify", "--database", path])).expectExit()
  }

  private func expectHistory(_ path: String) async throws {
    let reader = try AuditReader(path: path)
    let presentations = try await reader.presentationPage(AuditQuery()).page.reversed()
    #expect(presentations.map { "\($0.request.title ?? ""): \($0.outcome?.name.rawValue ?? "open")" } == Self.history)
    for (words, count) in [("website", 1), ("lovelace", 1), ("swordfish", 0), ("new", 1)] {
      var query = AuditQuery()
      query.search = words
      #expect(try await reader.presentationPage(query).page.count == count, "\(words)")
    }
    let first = try #require(presentations.first)
    let kinds: [AuditEvent.Kind] = [.requested, .presented, .answered, .delivered]
    #expect(try await reader.events(of: first.id).map(\.kind) == kinds)
  }

  private static let history = [
    "Deploy the website?: answered", "Delete the cache?: answered", "Which branch?: answered", "Your address: answered",
    "Log in: answered", "Apply the migration?: dismissed", "Too late?: expired", "Withdrawn?: cancelled",
    "Run /bin/echo 'It ran.'?: answered", "Deploy to staging?: answered", "Deploy to staging?: answered", "Snoozed?: answered",
    "Still open?: answered", "Next?: answered", "A new one?: answered",
  ]
}
