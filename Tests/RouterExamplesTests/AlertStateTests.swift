import Router
import RouterTesting
import Testing

@testable import router_examples

/// The program after swift-navigation's alerts and dialogs.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct AlertStateTests {
  private let model = FeatureModel()

  @Test func `deletes a file without a presenter`() {
    model.deleteButtonTapped("notes.txt")
    #expect(model.alert?.title == "Are you sure?")
    model.alertButtonTapped(.confirmDelete("notes.txt"))
    #expect(model.files == ["letter.txt"])
  }

  @Test func `deletes the file that the person picks and confirms`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.press("notes.txt"), .press("Delete"), .dismiss])
      model.filesButtonTapped()
      try await FeatureScreen(model: model).run()
      #expect(presenter.shown.map(\.request.title) == ["Delete which file?", "Are you sure?", "Delete which file?"])
      #expect(presenter.shown.last?.request.buttons.map(\.label) == ["letter.txt", "None"])
      #expect(model.files == ["letter.txt"])
    }
  }

  @Test func `withdraws the alert when the destination changes`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let screen = Task { try await FeatureScreen(model: model).run() }
      model.deleteButtonTapped("notes.txt")
      let alert = try await presenter.nextPresentation()
      model.destination = nil
      #expect(try await presenter.nextWithdrawal() == (alert.id, .cancelled))
      model.dialogButtonTapped(nil)
      try await screen.value
      #expect(try await router.reader.presentation(alert.id)?.outcome == .cancelled(.requester))
      #expect(model.files == ["letter.txt", "notes.txt"])
    }
  }
}
