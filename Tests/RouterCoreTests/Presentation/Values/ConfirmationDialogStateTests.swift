import Testing

@testable import RouterCore

struct ConfirmationDialogStateTests {
  private enum Choice: Hashable, Codable, Sendable {
    case archive, delete
  }

  private func dialog(isArchivable: Bool = true, titleVisibility: PresentationRequest.TitleVisibility = .visible)
    -> ConfirmationDialogState<Choice>
  {
    ConfirmationDialogState(titleVisibility: titleVisibility) {
      "What about it?"
    } actions: {
      if isArchivable {
        ButtonState("Archive", id: "archive", action: .archive)
      } else {
        ButtonState("Archived already")
      }
      ButtonState(role: .destructive, action: .delete) { "Delete" }
      ButtonState(role: .cancel) { "Nothing" }
    } message: {
      "It is large."
    }
  }

  @Test func `converts a dialog to a request`() throws {
    let request = PresentationRequest(dialog())
    #expect(
      request
        == PresentationRequest(
          kind: .confirmationDialog, title: "What about it?", message: "It is large.",
          buttons: [
            PresentationRequest.Button(id: "archive", label: "Archive"),
            PresentationRequest.Button(id: "b2", label: "Delete", role: .destructive),
            PresentationRequest.Button(id: "b3", label: "Nothing", role: .cancel),
          ], titleVisibility: .visible))
    #expect(try PresentationRequest(json: request.json) == request)
    #expect(PresentationRequest(dialog(titleVisibility: .hidden)).titleVisibility == .hidden)
    #expect(PresentationRequest(dialog(titleVisibility: .automatic)).titleVisibility == nil)
  }

  @Test func `compares dialogs by content, including title visibility`() {
    #expect(dialog() == dialog())
    #expect(Set([dialog(), dialog()]).count == 1)
    #expect(dialog() != dialog(titleVisibility: .hidden))
    #expect(dialog() != dialog(isArchivable: false))
    #expect(
      ConfirmationDialogState<Choice>("A") { ButtonState("B") }
        == ConfirmationDialogState {
          "A"
        } actions: {
          ButtonState("B")
        })
  }

  @Test func `maps actions to another type`() throws {
    let mapped = dialog().map { "\($0)" }
    #expect(mapped.buttons.map(\.action) == ["archive", "delete", nil])
    #expect((mapped.title, mapped.message) == (dialog().title, dialog().message))
    #expect(mapped.titleVisibility == .visible)
    struct Refused: Error, Equatable {}
    #expect(throws: Refused()) { _ = try dialog().map { _ throws(Refused) -> Int in throw Refused() } }
  }

  @Test func `rejects a dialog without buttons and names the field`() {
    let request = PresentationRequest(ConfirmationDialogState<Choice>("A") {})
    #expect(#expect(throws: JSONError.self) { _ = try request.normalized() }?.pointer == "/buttons")
  }

  @Test func `finds a button's action by id or position`() throws {
    #expect(try dialog().action(ofButton: "archive") == .archive)
    #expect(try dialog().action(ofButton: "b2") == .delete)
    #expect(try dialog().action(ofButton: "b3") == nil)
    #expect(throws: RouterError.self) { try dialog().action(ofButton: "b1") }
    #expect(try AlertState<Choice>("A") { ButtonState("B", action: .delete) }.action(ofButton: "b1") == .delete)
    #expect(throws: RouterError.self) { try AlertState<Choice>("A") { ButtonState("B") }.action(ofButton: "b2") }
  }

  @Test func `passes a button's action to a closure`() {
    struct Wrong: Error {}
    let delete = ButtonState("Delete", action: Choice.delete)
    #expect(delete.withAction { $0 } == .delete)
    #expect(ButtonState<Choice>("Nothing").withAction { $0 == nil })
    #expect(throws: Wrong.self) { try delete.withAction { _ in throw Wrong() } }
  }

  @Test @MainActor func `passes a button's action to an async closure on the caller's actor`() async throws {
    struct Wrong: Error {}
    let delete = ButtonState("Delete", action: Choice.delete)
    var handled: [Choice?] = []
    await delete.withAction { action in
      await Task.detached {}.value
      handled.append(action)
    }
    #expect(handled == [.delete])
    await #expect(throws: Wrong.self) {
      try await delete.withAction { _ in
        await Task.detached {}.value
        throw Wrong()
      }
    }
  }
}
