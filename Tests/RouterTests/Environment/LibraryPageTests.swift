import Router
import Testing

/// The calls promised by the design page, as users write them.
struct LibraryPageTests {
  /// A screen of an app.
  private struct Screen: Sendable {
    @Environment(\.showSheet) private var showSheet
    @Environment(\.showAlert) private var showAlert
    @Environment(\.showAppSheet) private var showAppSheet
    @Environment(\.showConfirmationDialog) private var showConfirmationDialog
    @Environment(\.showFullScreenCover) private var showFullScreenCover
    @Environment(\.showAppCover) private var showAppCover
    @Environment(\.dismiss) private var dismiss

    func pick(from recents: [Address]) async throws -> Address {
      let address = try await showSheet(PickAddress(recent: recents))
      return address
    }

    func openSettings() {
      showSheet.post(AppSheet.settings, onDismiss: settingsScreenDismissed)
    }

    func openSettingsAndForget() {
      showSheet.post(AppSheet.settings)
    }

    func openSettingsFromAsyncCode() async {
      showSheet.post(AppSheet.settings, onDismiss: settingsScreenDismissed)
      showSheet.post(AppSheet.settings) { await dismissed() }
    }

    func waitForSettings() async throws {
      try await showSheet(AppSheet.settings)
    }

    func confirm() async throws -> Choice {
      let choice = try await showAlert(
        AlertState {
          "Delete?"
        } actions: {
          ButtonState(role: .destructive, action: Choice.delete) { "Delete" }
          ButtonState("Keep", role: .cancel)
        })
      return choice
    }

    func tell() async throws {
      try await showAlert(AlertState { "Done." })
      try await showAlert(AlertState("Done."))
    }

    func tellAndForget() {
      showAlert.post(AlertState { "Done." }, onDismiss: settingsScreenDismissed)
      showAlert.post(AlertState("Done."))
    }

    func choose() async throws -> Choice {
      let choice = try await showConfirmationDialog(
        ConfirmationDialogState(titleVisibility: .visible) {
          "Which?"
        } actions: {
          ButtonState(role: .destructive, action: Choice.delete) { "Delete" }
          ButtonState("Keep", role: .cancel)
        })
      _ = await showConfirmationDialog.result(of: ConfirmationDialogState<Choice>("Which?") { ButtonState("Keep") })
      try await showConfirmationDialog(ConfirmationDialogState<Never>("Well?") { ButtonState("OK") })
      return choice
    }

    func chooseAndForget() {
      showConfirmationDialog.post(ConfirmationDialogState<Choice>("Which?") { ButtonState("Keep") })
      showConfirmationDialog.post(
        ConfirmationDialogState<Choice>("Which?") { ButtonState("Keep") }, onDismiss: settingsScreenDismissed)
    }

    func cover() async throws {
      let address = try await showFullScreenCover(PickAddress(recent: []))
      _ = await showFullScreenCover.result(of: PickAddress(recent: [address]))
      try await showFullScreenCover(AppSheet.settings)
      try await showAppCover(.settings)
      _ = await showAppCover.result(of: .settings)
      try await showFullScreenCover.during(AppSheet.settings) { dismiss() }
      try await showAppCover.during(.settings) { dismiss() }
      try await showSheet.during(AppSheet.settings) { dismiss() }
      try await showAppSheet.during(.settings) { _ = try await dismiss.outcome() }
    }

    func coverAndForget() {
      showFullScreenCover.post(AppSheet.settings)
      showAppCover.post(.contact("John Doe"), onDismiss: settingsScreenDismissed)
    }

    func result(of recents: [Address]) async -> Result<Address, NoAnswer> {
      let result = await showSheet.result(of: PickAddress(recent: recents))
      return result
    }

    func narrowed() async throws {
      try await showAppSheet(.settings)
      try await showAppSheet(.contact("John Doe"), options: { $0.priority = .high })
      _ = await showAppSheet.result(of: .settings)
    }

    func narrowedAndForget() {
      showAppSheet.post(.settings)
      showAppSheet.post(.contact("John Doe"), onDismiss: settingsScreenDismissed)
    }

    private func dismissed() async {}
  }

  private enum Choice: Sendable, Hashable {
    case delete
  }

  @Test func `each call compiles and works as on the page`() async throws {
    let broker = ScriptedBroker { request in
      switch (request.sheet, request.buttons.first?.id) {
      case ("PickAddress", _): .end(.answered(.value(["street": "Hill Road"])))
      case (_, let button?): .end(.answered(.button(button)))
      default: .end(.dismissed)
      }
    }
    try await withEnvironment(\.presentationBroker, broker) {
      let screen = Screen()
      #expect(try await screen.pick(from: []) == Address(street: "Hill Road"))
      #expect(await screen.result(of: []) == .success(Address(street: "Hill Road")))
      #expect(try await screen.confirm() == .delete)
      try await screen.waitForSettings()
      try await screen.tell()
      try await screen.narrowed()
      screen.openSettings()
      screen.openSettingsAndForget()
      await screen.openSettingsFromAsyncCode()
      screen.tellAndForget()
      screen.narrowedAndForget()
      #expect(try await screen.choose() == .delete)
      screen.chooseAndForget()
      try await screen.cover()
      screen.coverAndForget()
    }
    #expect(
      broker.requests.map { $0.sheet ?? $0.heading } == [
        "PickAddress", "PickAddress", "Delete?", "settings", "Done.", "Done.", "settings", "contact", "settings",
        "settings", "settings", "settings", "settings", "Done.", "Done.", "settings", "contact", "Which?", "Which?", "Well?",
        "Which?", "Which?", "PickAddress", "PickAddress", "settings", "settings", "settings", "settings", "settings",
        "settings", "settings", "settings", "contact",
      ])
    #expect(broker.requests.suffix(10).map(\.kind).count { $0 == .fullScreenCover } == 8)
  }

  @Test @MainActor func `runs a callback on its actor`() async {
    let broker = ScriptedBroker(.dismissed)
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let counter = Counter(continuation)
    withEnvironment(\.presentationBroker, broker) {
      @Environment(\.showSheet) var showSheet
      showSheet.post(AppSheet.settings, onDismiss: counter.count)
      counter.askTwice()
    }
    var iterator = stream.makeAsyncIterator()
    for count in 1...3 { #expect(await iterator.next() == count) }
  }
}

@MainActor
private final class Counter {
  private var calls = 0
  private let continuation: AsyncStream<Int>.Continuation

  init(_ continuation: AsyncStream<Int>.Continuation) {
    self.continuation = continuation
  }

  func count() {
    calls += 1
    continuation.yield(calls)
  }

  func askTwice() {
    ShowAction().post(AppSheet.settings) { self.count() }
    ShowAction.For<AppSheet>().post(.settings) {
      self.calls += 1
      self.continuation.yield(self.calls)
    }
  }
}

private func settingsScreenDismissed() {}

extension EnvironmentValues {
  fileprivate var showAppSheet: ShowAction.For<AppSheet> { .init(in: self) }
  fileprivate var showAppCover: ShowAction.For<AppSheet> { .init(in: self, as: .fullScreenCover) }
}
