import ArgumentParser
import Observation
import Router
import RouterCompatibility

/// A list of files. Its dialog is optional state; its alert is a case of enum state.
@MainActor @Observable
final class FeatureModel {
  var files = ["letter.txt", "notes.txt"]
  var dialog: ConfirmationDialogState<DialogAction>?
  var destination: Destination?
  private(set) var isClosed = false

  enum DialogAction: Hashable { case delete(String) }
  enum Destination { case alert(AlertState<AlertAction>) }
  enum AlertAction: Hashable { case confirmDelete(String) }

  var alert: AlertState<AlertAction>? {
    get { if case .alert(let alert) = destination { alert } else { nil } }
    set { destination = newValue.map(Destination.alert) }
  }

  func filesButtonTapped() {
    dialog = ConfirmationDialogState {
      TextState("Delete which file?")
    } actions: {
      for file in files { ButtonState(action: .delete(file)) { TextState(file) } }
      ButtonState(role: .cancel) { TextState("None") }
    }
  }

  func dialogButtonTapped(_ action: DialogAction?) {
    switch action {
    case .delete(let file): deleteButtonTapped(file)
    case nil: isClosed = true
    }
  }

  func deleteButtonTapped(_ file: String) {
    alert = AlertState {
      TextState("Are you sure?")
    } actions: {
      ButtonState(role: .destructive, action: .confirmDelete(file)) { TextState("Delete") }
      ButtonState(role: .cancel) { TextState("Nevermind") }
    } message: {
      TextState("Deleting \(file) cannot be undone.")
    }
  }

  func alertButtonTapped(_ action: AlertAction?) {
    if case .confirmDelete(let file) = action {
      files.removeAll { $0 == file }
      print("\(file) is deleted.")
    }
    filesButtonTapped()
  }
}

/// Shows the model's dialog and alert until the model is closed.
@MainActor
struct FeatureScreen {
  let model: FeatureModel

  @Environment(\.showAlert) private var showAlert
  @Environment(\.showConfirmationDialog) private var showConfirmationDialog

  func run() async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { try await showAlerts() }
      group.addTask { try await showDialogs() }
      group.addTask { await untilClosed() }
      try await group.next()
      group.cancelAll()
    }
  }

  private func showAlerts() async throws {
    try await showAlert(model, \.alert) { action in model.alertButtonTapped(action) }
  }

  private func showDialogs() async throws {
    try await showConfirmationDialog(model, \.dialog) { action in model.dialogButtonTapped(action) }
  }

  private func untilClosed() async {
    for await isClosed in Observations({ model.isClosed }) where isClosed { break }
  }
}

/// `router-examples alert-state`: swift-navigation's alerts and dialogs.
struct AlertStates: Example {
  static let configuration = CommandConfiguration(commandName: "alert-state", abstract: "Drive a dialog and an alert by state.")

  @OptionGroup var options: ExampleOptions

  @MainActor static func play() async throws {
    let model = FeatureModel()
    model.filesButtonTapped()
    try await FeatureScreen(model: model).run()
  }

  static let script: [ScriptedPresenter.Step] = [
    .press("notes.txt", on: "Delete which file?"), .press("Delete", on: "Are you sure?"),
    .press("letter.txt", on: "Delete which file?"), .press("Nevermind", on: "Are you sure?"),
    .press("None", on: "Delete which file?"),
  ]
}
