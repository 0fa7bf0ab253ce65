import Router
import Testing

/// An app that reuses a built-in action name for its own sheets.
struct NarrowedActionTests {
  private struct Screen {
    @Environment(\.showSheet) private var showSheet

    func open() async throws {
      try await showSheet(.settings)
      showSheet.post(.contact("John Doe"))
    }
  }

  @Test func `an app can redefine a built-in action for its own sheets`() async throws {
    let broker = ScriptedBroker(.dismissed)
    try await withEnvironment(\.presentationBroker, broker) { try await Screen().open() }
    #expect(broker.requests.map(\.sheet) == ["settings", "contact"])
  }
}

extension EnvironmentValues {
  fileprivate var showSheet: ShowAction.For<AppSheet> { .init(in: self) }
}
