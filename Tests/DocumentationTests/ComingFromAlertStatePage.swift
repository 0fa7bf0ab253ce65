import Observation
import Router
import RouterCompatibility
import RouterTesting
import Testing

private struct Item: Sendable {
  var name: String
  var isArchivable = false
}

private enum DeleteAction: Sendable, Hashable {
  case confirm, archive
}

private enum AppAction: Hashable {
  case item(DeleteAction)
}

private actor Store {
  private(set) var deleted: [String] = []

  func delete(_ item: Item) { deleted.append(item.name) }
  func archive(_ item: Item) {}
}

extension AlertState<DeleteAction> {
  fileprivate static func delete(_ item: Item) -> Self {
    AlertState {
      TextState("Delete \(item.name)?")
    } actions: {
      ButtonState(role: .destructive, action: .confirm) {
        TextState("Delete")
      }
      if item.isArchivable {
        ButtonState(action: .archive) {
          TextState("Archive")
        }
      }
      ButtonState(role: .cancel) {
        TextState("Nevermind")
      }
    } message: {
      TextState("This cannot be undone.")
    }
  }
}

private let store = Store()

private struct ItemModel {
  @Environment(\.showAlert) private var showAlert

  fileprivate func deleteButtonTapped(_ item: Item) async {
    switch await showAlert.result(of: AlertState.delete(item)) {
    case .success(.confirm): await store.delete(item)
    case .success(.archive): await store.archive(item)
    case .failure(.dismissed): break  // closed, or a button without an action
    case .failure: break  // no person answered
    }
  }
}

/// State that drives the prompt.
private enum KeptState {
  @MainActor @Observable
  final class ItemModel {
    let item: Item
    var alert: AlertState<DeleteAction>?

    init(item: Item) {
      self.item = item
    }

    func deleteButtonTapped() {
      alert = .delete(item)
    }

    func alertButtonTapped(_ action: DeleteAction?) async {
      switch action {
      case .confirm: await store.delete(item)
      case .archive: await store.archive(item)
      case nil: break
      }
    }
  }

  struct ItemScreen {
    @Environment(\.showAlert) private var showAlert

    @MainActor func run(_ model: ItemModel) async throws {
      try await showAlert(model, \.alert) { action in
        await model.alertButtonTapped(action)
      }
    }
  }

  @MainActor static func test(_ model: ItemModel) async {
    model.deleteButtonTapped()
    #expect(model.alert?.title == "Delete Desk?")
    await model.alertButtonTapped(.confirm)
    #expect(await store.deleted.contains("Desk"))
  }
}

/// The throwing form.
private struct Chooser {
  enum Choice { case rename, delete }

  @Environment(\.showConfirmationDialog) private var showConfirmationDialog

  func press(for item: Item) async throws -> Choice {
    let choice = try await showConfirmationDialog(
      ConfirmationDialogState(titleVisibility: .visible) {
        TextState("What about \(item.name)?")
      } actions: {
        ButtonState(action: Choice.rename) { "Rename" }
        ButtonState(role: .destructive, action: Choice.delete) { "Delete" }
        ButtonState(role: .cancel) { "Nothing" }
      }
    )
    return choice
  }
}

@Suite(.timeLimit(.minutes(10)))
struct ComingFromAlertStatePageTests {
  private let item = Item(name: "Lamp")
  private let model = ItemModel()

  @Test func `compares and maps an alert's buttons without a broker`() {
    #expect(AlertState.delete(item).buttons.map(\.action) == [.confirm, nil])
    #expect(AlertState.delete(item).map(AppAction.item).buttons.first?.action == .item(.confirm))
  }

  @Test func `deletes the item when the presenter chooses Delete`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.press("Delete")])
      await model.deleteButtonTapped(item)
      #expect(presenter.shown.map(\.request.title) == ["Delete Lamp?"])
      #expect(await store.deleted.contains("Lamp"))
    }
  }

  @Test @MainActor func `tests a model's state with and without a presenter`() async throws {
    await KeptState.test(KeptState.ItemModel(item: Item(name: "Desk")))
    let model = KeptState.ItemModel(item: Item(name: "Chair"))
    try await withTestRouter { router in
      let presenter = router.presenter()
      let screen = Task { try await KeptState.ItemScreen().run(model) }
      model.deleteButtonTapped()
      let shown = try await presenter.nextPresentation()
      model.alert = nil
      #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
      screen.cancel()
      try await screen.value
    }
    #expect(await !store.deleted.contains("Chair"))
  }
}
