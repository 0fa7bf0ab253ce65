import Router
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ShowActionTests {
  private let dialog = ConfirmationDialogState("Which?", titleVisibility: .hidden) {
    ButtonState("Archive", id: "archive", action: 1)
    ButtonState("Delete", role: .destructive, action: 2)
    ButtonState("Ask me later")
  }

  @Test func `returns the button's action, or a dismissal if it has none`() async throws {
    for (id, action) in [("archive", 1), ("b2", 2)] {
      try await withEnvironment(\.presentationBroker, ScriptedBroker(.answered(.button(id)))) {
        let answer = try await ShowAction()(dialog)
        #expect(answer == action)
        #expect(await ShowAction().result(of: dialog) == .success(action))
      }
    }
    await withEnvironment(\.presentationBroker, ScriptedBroker(.answered(.button("b3")))) {
      await #expect(throws: NoAnswer.dismissed) {
        _ = try await ShowAction()(dialog)
      }
      #expect(await ShowAction().result(of: dialog) == .failure(.dismissed))
    }
  }

  @Test func `returns when a dialog without actions is closed`() async throws {
    let dialog = ConfirmationDialogState<Never>("Well?") { ButtonState("OK") }
    try await withEnvironment(\.presentationBroker, ScriptedBroker(.answered(.button("b1")))) {
      try await ShowAction()(dialog)
    }
    await withEnvironment(\.presentationBroker, ScriptedBroker(.cancelled(.admin))) {
      await #expect(throws: NoAnswer.cancelled(.admin)) {
        try await ShowAction()(dialog)
      }
      #expect(await ShowAction().result(of: dialog) == .failure(.cancelled(.admin)))
    }
  }

  @Test func `keeps the order of dialogs, alerts, covers and sheets`() {
    let broker = ScriptedBroker()
    withEnvironment(\.presentationBroker, broker) {
      for _ in 0..<25 {
        ShowAction().post(dialog)
        ShowAction().post(AlertState("Done."))
        ShowAction(as: .fullScreenCover).post(AppSheet.settings)
        ShowAction().post(AppSheet.settings)
      }
    }
    let kinds: [PresentationKind] = [.confirmationDialog, .alert, .fullScreenCover, .sheet]
    #expect(broker.requests.map(\.kind) == (0..<100).map { kinds[$0 % 4] })
    #expect(broker.requests.first == PresentationRequest(dialog))
  }

  @Test func `runs a callback in the environment of the call`() async {
    let broker = ScriptedBroker()
    withEnvironment(\.presentationBroker, broker) {
      @Environment(\.showSheet) var showSheet
      ShowAction().post(dialog, onDismiss: { showSheet.post(AppSheet.settings) })
    }
    broker.end(.dismissed, at: 0)
    for await index in broker.submissions where index == 1 { break }
    #expect(broker.requests.map(\.kind) == [.confirmationDialog, .sheet])
  }
}
