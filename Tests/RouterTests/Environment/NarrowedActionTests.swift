import Router
import Testing

/// An app that takes the built-in name for its own sheets.
struct NarrowedActionTests {
  private struct Screen {
    @Environment(\.showSheet) private var showSheet

    func open() async throws {
      try await showSheet(.settings)
      showSheet(.contact("John Doe"), onDismiss: nil)
    }
  }

  @Test func `an app may give the built-in name to its own sheets`() async throws {
    let broker = ScriptedBroker(.dismissed)
    try await withEnvironment(\.presentationBroker, broker) { try await Screen().open() }
    #expect(broker.requests.map(\.sheet) == ["settings", "contact"])
  }
}

extension EnvironmentValues {
  fileprivate var showSheet: ShowSheetAction.For<AppSheet> { .init(in: self) }
}
