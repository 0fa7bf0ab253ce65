import Observation
import Router
import RouterCompatibility
import RouterTesting
import Testing

/// A model in the style of swift-navigation. Its handlers note the answer, and the title of the alert at that time.
@MainActor @Observable private final class ItemModel {
  enum Deletion { case confirm, archive }

  enum Destination {
    case alert(AlertState<Deletion>)
    case nickname(PickNickname)
  }

  struct Item: Identifiable {
    let id: Int
    var name: String
  }

  @ObservationIgnored @Environment(\.showAlert) var showAlert
  var alert: AlertState<Deletion>?
  var dialog: ConfirmationDialogState<Deletion>?
  var destination: Destination?
  var item: Item?
  var isDone = false
  let notes = Notes()

  var destinationAlert: AlertState<Deletion>? {
    get { destination.alert }
    set { destination.alert = newValue }
  }

  func deleteButtonTapped(_ name: String = "Lamp") { alert = deletion(of: name) }

  func handle(_ answer: some Any) {
    notes("\(answer), then \(alert?.title ?? "nothing")")
  }

  func alertButtonTapped(_ action: Deletion?) {
    handle(action.map { "\($0)" } ?? "nil")
  }

  func showAlerts() async throws {
    try await showAlert(self, \.alert) { alertButtonTapped($0) }
  }

  func showDialogs() async throws {
    try await ShowAction()(self, \.dialog) { alertButtonTapped($0) }
  }

  func showDestinationAlerts() async throws {
    try await showAlert(self, \.destinationAlert) { alertButtonTapped($0) }
  }

  func showNicknames() async throws {
    try await ShowAction()(self, \.destination.nickname) { handle(($0 ?? nil) ?? "nobody") }
  }
}

extension ItemModel.Destination? {
  fileprivate var alert: AlertState<ItemModel.Deletion>? {
    get { if case .alert(let alert) = self { alert } else { nil } }
    set { if case .alert = self { self = newValue.map { .alert($0) } } }
  }

  fileprivate var nickname: PickNickname? {
    get { if case .nickname(let sheet) = self { sheet } else { nil } }
    set { if case .nickname = self { self = newValue.map { .nickname($0) } } }
  }
}

/// A model that belongs to no actor.
@Observable private final class PlainModel {
  var alert: AlertState<ItemModel.Deletion>?
  var answers: [ItemModel.Deletion?] = []
}

/// An actor with a model.
private actor Screen {
  private let model = PlainModel()
  let notes = Notes()

  func delete(_ name: String) { model.alert = deletion(of: name) }
  func close() { model.alert = nil }
  var answers: [ItemModel.Deletion?] { model.answers }

  func showAlerts() async throws {
    try await ShowAction()(model, \.alert) { action in
      assertIsolated()
      model.answers.append(action)
      notes("answered")
    }
  }
}

private func deletion(of name: String) -> AlertState<ItemModel.Deletion> {
  AlertState("Delete \(name)?") {
    ButtonState("Delete", role: .destructive, action: .confirm)
    ButtonState("Archive", action: .archive)
    ButtonState("Keep", role: .cancel)
  }
}

/// Prompts that a model's state drives.
@Suite(.timeLimit(.minutes(10))) @MainActor
struct ShowActionStateTests {
  private let model = ItemModel()

  /// Runs a body while prompts are shown, then cancels.
  private func showing(_ show: @escaping @MainActor () async throws -> Void, _ body: () async throws -> Void) async throws {
    let showing = Task { try await show() }
    defer { showing.cancel() }
    try await body()
    showing.cancel()
    try await showing.value
  }

  @Test func `a model is tested without a broker`() {
    model.deleteButtonTapped()
    #expect(model.alert?.title == "Delete Lamp?")
    model.alert = nil
    model.alertButtonTapped(.confirm)
    #expect(model.notes.all == ["confirm, then nothing"])
  }

  @Test func `a value shows the prompt, and a button sets it to nil before the handler`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [.press("Delete"), .press("Archive"), .press("Keep"), .dismiss])
      try await showing(model.showAlerts) {
        for answer in ["confirm", "archive", "nil", "nil"] {
          model.deleteButtonTapped()
          await model.notes.wait(for: "\(answer), then nothing")
        }
      }
      #expect(model.notes.all.count == 4)
    }
  }

  @Test func `nil withdraws the prompt, and another value replaces it`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      try await showing(model.showAlerts) {
        model.deleteButtonTapped()
        let lamp = try await presenter.nextPresentation()
        model.deleteButtonTapped()  // the same value
        model.deleteButtonTapped("Desk")
        #expect(try await presenter.nextWithdrawal() == (lamp.id, .cancelled))
        let desk = try await presenter.nextPresentation()
        #expect(desk.request.title == "Delete Desk?")
        #expect(model.alert?.title == "Delete Desk?")
        model.alert = nil
        #expect(try await presenter.nextWithdrawal() == (desk.id, .cancelled))
      }
      #expect(model.notes.all == [])
    }
  }

  @Test func `cancellation withdraws the prompt and keeps the state`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      try await showing(model.showAlerts) {
        model.deleteButtonTapped()
        _ = try await presenter.nextPresentation()
      }
      #expect(try await presenter.nextWithdrawal().reason == .cancelled)
      #expect(model.alert != nil && model.notes.all == [])
      try await showing(model.showAlerts) {
        try await presenter.press("Delete", on: try await presenter.nextPresentation())
        await model.notes.wait(for: "confirm, then nothing")
      }
    }
  }

  @Test func `expiry, cancellation by others and failure count as dismissals`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      try await withEnvironment(\.presentationOptions, PresentationOptions(timeout: .seconds(60))) {
        try await showing(model.showAlerts) {
          model.deleteButtonTapped()
          _ = try await presenter.nextPresentation()
          router.clock.advance(by: .seconds(60))
          await model.notes.wait(for: "nil, then nothing")
          model.deleteButtonTapped()
          _ = try await router.coordinator.cancel(try await presenter.nextPresentation().id)
          await model.notes.wait(for: "nil, then nothing")
          model.deleteButtonTapped()
          try await presenter.fail(try await presenter.nextPresentation(), detail: "no screen")
          await model.notes.wait(for: "nil, then nothing")
        }
      }
    }
  }

  @Test func `shows dialogs, sheets and the cases of a destination`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      try await showing({
        async let dialogs: Void = model.showDialogs()
        async let alerts: Void = model.showDestinationAlerts()
        try await model.showNicknames()
        _ = try await (dialogs, alerts)
      }) {
        model.dialog = ConfirmationDialogState("Which?") { ButtonState("Delete", action: .confirm) }
        try await presenter.press("Delete", on: try await presenter.nextPresentation())
        await model.notes.wait(for: "confirm, then nothing")
        model.destination = .alert(deletion(of: "Lamp"))
        let alert = try await presenter.nextPresentation()
        model.destination = .nickname(PickNickname())
        #expect(try await presenter.nextWithdrawal() == (alert.id, .cancelled))
        try await presenter.next(PickNickname.self).answer("Al")
        await model.notes.wait(for: "Al, then nothing")
        #expect(model.destination == nil && model.dialog == nil)
      }
    }
  }

  @Test func `keeps what the handler sets, even the same value`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [.press("Archive"), .press("Delete")])
      try await showing({
        try await ShowAction()(model, \.alert) { action in
          if action == .archive { model.deleteButtonTapped() }
          model.alertButtonTapped(action)
        }
      }) {
        model.deleteButtonTapped()
        await model.notes.wait(for: "archive, then Delete Lamp?")
        await model.notes.wait(for: "confirm, then nothing")
      }
    }
  }

  @Test func `keeps a change between the answer and the reset, and the answer`() async throws {
    let action = ShowAction { (alert: AlertState<ItemModel.Deletion>) in
      guard alert.title == "Delete Lamp?" else { return nil }
      await model.deleteButtonTapped("Desk")
      return .confirm
    }
    try await withEnvironment(\.showAlert, action) {
      try await showing(model.showAlerts) {
        model.deleteButtonTapped()
        await model.notes.wait(for: "confirm, then Delete Desk?")
        await model.notes.wait(for: "nil, then nothing")
      }
    }
  }

  @Test func `sets the state to nil and throws if the prompt cannot be shown`() async {
    model.deleteButtonTapped()
    let error = await #expect(throws: RouterError.self) { try await model.showAlerts() }
    #expect(error?.code == .notInjected)
    #expect(model.alert == nil && model.notes.all == [])
    model.isDone = true
    await #expect(throws: RouterError.self) { try await ShowAction()(model, isPresented: \.isDone) { AlertState("Done.") } }
    model.item = .init(id: 1, name: "Lamp")
    await #expect(throws: RouterError.self) { try await ShowAction()(model, item: \.item) { deletion(of: $0.name) } }
    #expect(!model.isDone && model.item == nil)
    model.destination = .nickname(PickNickname())
    await #expect(throws: RouterError.self) { try await ShowAction()(model, \.destination.nickname) { _ in } }
    #expect(model.destination == nil)
  }

  @Test func `a model of another actor stays on it`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let screen = Screen()
      try await showing({ try await screen.showAlerts() }) {
        await screen.delete("Lamp")
        try await presenter.press("Delete", on: try await presenter.nextPresentation())
        await screen.notes.wait(for: "answered")
        await screen.delete("Desk")
        _ = try await presenter.nextPresentation()
        await screen.close()
        #expect(try await presenter.nextWithdrawal().reason == .cancelled)
      }
      #expect(await screen.answers == [.confirm])
    }
  }

  @Test nonisolated func `a model without an actor is driven by its handler`() async throws {
    let action = ShowAction { (alert: AlertState<ItemModel.Deletion>) in alert.title == "Delete Lamp?" ? .archive : .confirm }
    let answers = try await Task {
      let model = PlainModel()
      model.alert = deletion(of: "Lamp")
      try await action(model, \.alert) { answer in
        model.answers.append(answer)
        if answer == .archive { model.alert = deletion(of: "Desk") } else { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return model.answers
    }.value
    #expect(answers == [.archive, .confirm])
  }

  @Test func `an item shows a prompt, and another id replaces it`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      try await showing({
        try await ShowAction()(model, item: \.item) {
          deletion(of: $0.name)
        } handler: { item, action in
          model.handle("\(action ?? .archive) \(item.name)")
        }
      }) {
        model.item = .init(id: 1, name: "Lamp")
        let lamp = try await presenter.nextPresentation()
        model.item?.name = "Light"
        model.item = .init(id: 2, name: "Desk")
        #expect(try await presenter.nextWithdrawal() == (lamp.id, .cancelled))
        try await presenter.press("Delete", on: try await presenter.nextPresentation())
        await model.notes.wait(for: "confirm Desk, then nothing")
        #expect(model.item == nil)
      }
    }
  }

  @Test func `a flag shows a prompt, and is false after it`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      try await showing({
        try await ShowAction()(model, isPresented: \.isDone) {
          AlertState("Done.")
        } handler: { _ in
          model.handle("isDone = \(model.isDone)")
        }
      }) {
        model.isDone = true
        let shown = try await presenter.nextPresentation()
        model.isDone = false
        #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
        model.isDone = true
        try await presenter.dismiss(try await presenter.nextPresentation())
        await model.notes.wait(for: "isDone = false, then nothing")
      }
      #expect(model.notes.all.count == 1)
    }
  }
}
