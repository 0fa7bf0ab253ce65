import Router
import RouterTesting
import Testing

private func open() throws -> AuditReader {
  let reader = try AuditReader(path: "audit.db")
  return reader
}

private func list(_ reader: AuditReader, print: (Timestamp, String) -> Void) async throws {
  var query = AuditQuery()
  query.apps = ["deploy"]
  query.outcomes = [.answered]
  for try await presentation in reader.presentations(query) {
    print(presentation.requestedAt, presentation.request.title ?? "")
  }
}

/// Examples from the article about the log.
@Suite(.timeLimit(.minutes(10)))
struct AskingTheLogPageTests {
  @Test func `lists answers, the newest first`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [.press(id: "ok"), .dismiss, .press(id: "ok")])
      for title in ["One", "Two", "Three"] {
        _ = await ShowAction().result(of: AlertState(title), options: { $0.app = "deploy" })
      }
      var titles: [String] = []
      try await list(router.reader) { titles.append($1) }
      #expect(titles == ["Three", "One"])
    }
  }
}
