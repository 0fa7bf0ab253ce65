import Router
import RouterTesting
import Testing

private enum AppSheet: Sheet {
  case settings
  case contact(String)
}

extension EnvironmentValues {
  nonisolated fileprivate var showSheet: ShowAction.For<AppSheet> { .init(in: self) }
}

private struct HomeScreen {
  @Environment(\.showSheet) private var showSheet

  func settingsButtonTapped() {
    showSheet.post(.settings, onDismiss: settingsScreenDismissed)
  }

  func contactButtonTapped(_ name: String) {
    showSheet.post(.contact(name))
  }
}

private struct SheetPresenter: Presenter {
  let name = "app"

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    switch try presentation.request.payload?.decode(AppSheet.self) {
    case .settings: await SettingsScreen().run()
    case .contact(let name): await ContactScreen(name: name).run()
    case nil: throw NoSuchSheet()
    }
    return .dismiss
  }
}

private func settingsScreenDismissed() {}

private struct NoSuchSheet: Error {}

private struct SettingsScreen {
  func run() async {}
}

private struct ContactScreen {
  let name: String
  func run() async {}
}

private struct App {
  func run() async {
    HomeScreen().settingsButtonTapped()
    HomeScreen().contactButtonTapped("John Doe")
  }
}

private func inject(_ app: App) async throws {
  let coordinator = try await PresentationCoordinator(log: AuditLog(path: "audit.db"))
  try await withEnvironment(\.presentationBroker, coordinator) {
    async let presenting: Void = coordinator.run(SheetPresenter())
    await app.run()
    await coordinator.shutDown()
    try await presenting
  }
}

private struct Uploading: Sheet {
  var file: String
}

/// The page's differences, here with the built-in action, which takes sheets of any type.
private struct Differences {
  private let showSheet = ShowAction()

  func pick() async throws -> String {
    struct PickColor: Sheet {
      typealias Answer = String
      var colors: [String]
    }

    let color = try await showSheet(PickColor(colors: ["red", "blue"]))
    return color
  }

  func work() async throws {
    try await showSheet.during(Uploading(file: "notes.txt")) {
      @Environment(\.dismiss) var dismiss
      if try await isUploadedAlready() { return dismiss() }
      try await upload()
    }
  }
}

private func isUploadedAlready() async throws -> Bool { true }
private func upload() async throws {}

@Suite(.timeLimit(.minutes(10)))
struct ComingFromTheEnvironmentPatternPageTests {
  @Test func `shows one sheet after the other with the page's presenter`() async throws {
    try await withTestRouter { router in
      let presenting = Task { try await router.run(SheetPresenter()) }
      #expect(await EnvironmentValues.current.showSheet.result(of: .settings) == .failure(.dismissed))
      #expect(await EnvironmentValues.current.showSheet.result(of: .contact("John Doe")) == .failure(.dismissed))
      presenting.cancel()
      _ = await presenting.result
    }
  }

  @Test func `returns an answer, and dismisses a sheet from inside`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.answer("red"), .leave])
      #expect(try await Differences().pick() == "red")
      try await Differences().work()
      #expect(presenter.unplayed.isEmpty)
    }
  }
}
