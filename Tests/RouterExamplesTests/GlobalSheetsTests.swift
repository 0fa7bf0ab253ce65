import Router
import RouterTesting
import Testing

@testable import router_examples

/// The program after the Global Sheets pattern.
@Suite(.timeLimit(.minutes(10)))
struct GlobalSheetsTests {
  @Test func `stacks a sheet on another one, and returns to it`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [
        .press("Show Content Screen"), .answer(JSONValue.object([:])), .dismiss, .dismiss, .dismiss,
      ])
      await #expect(throws: NoAnswer.dismissed) { try await HomeScreen().run() }
      let content = try #require(presenter.shown.first { $0.request.title == "Content" })
      let settings = try #require(presenter.shown.first { $0.request.title == "Settings" })
      #expect(settings.request.over == content.id)
      #expect(try await router.reader.presentation(settings.id)?.outcome == .dismissed)
      #expect(presenter.shown.map(\.request.title) == ["Home", "Content", "Settings", "Home"])
      // Dismissed after the settings, so it was shown again.
      #expect(try await router.reader.presentation(content.id)?.outcome == .dismissed)
    }
  }

  @Test func `shows the sheets in the order of the calls`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [
        .press("Show Contact Screen"), .dismiss, .press("Show Settings Screen"), .dismiss, .dismiss,
      ])
      await #expect(throws: NoAnswer.dismissed) { try await HomeScreen().run() }
      #expect(
        presenter.shown.map(\.request.title) == ["Home", "Contacting John Doe", "Home", "Settings", "Home"])
    }
  }
}
