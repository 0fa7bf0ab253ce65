import ArgumentParser
import Router
import RouterCompatibility

/// The sheets that every screen can show.
enum AppSheet: Sheet {
  case settings
  case contact(String)
  case content

  var title: String {
    switch self {
    case .settings: "Settings"
    case .contact(let name): "Contacting \(name)"
    case .content: "Content"
    }
  }
}

extension EnvironmentValues {
  nonisolated var showSheet: ShowAction.For<AppSheet> { .init(in: self) }
}

/// The home screen: a button for each sheet, until the person closes it.
struct HomeScreen {
  @Environment(\.showSheet) private var showSheet
  @Environment(\.showConfirmationDialog) private var showConfirmationDialog

  private func settingsScreenDismissed() {
    print("settingsScreenDismissed")
  }

  func run() async throws {
    let buttons = ConfirmationDialogState<AppSheet>("Home") {
      ButtonState("Show Settings Screen", action: .settings)
      ButtonState("Show Contact Screen", action: .contact("John Doe"))
      ButtonState("Show Content Screen", action: .content)
    }
    while true {
      switch try await showConfirmationDialog(buttons) {
      case .settings: showSheet(.settings, settingsScreenDismissed)
      case .contact(let name): showSheet.post(.contact(name))
      case .content: await ContentScreen().run()
      }
    }
  }
}

/// A sheet that shows another one on top of itself, each time that the person continues.
struct ContentScreen {
  @Environment(\.showSheet) private var showSheet

  func run() async {
    await NavigationFlow(root: AppSheet.content) { _ in
      showSheet.post(.settings)
    }
  }
}

/// `router-examples global-sheets`: the Global Sheets pattern.
struct GlobalSheets: Example {
  static let configuration = CommandConfiguration(
    commandName: "global-sheets", abstract: "Show sheets from anywhere, one on top of another.")

  @OptionGroup var options: ExampleOptions

  static func play() async throws { try await HomeScreen().run() }

  static let script: [ScriptedPresenter.Step] = [
    .press("Show Settings Screen", on: "Home"), .close("Settings"),
    .press("Show Content Screen", on: "Home"), .proceed(from: "Content"), .close("Settings"), .close("Content"),
    .press("Show Contact Screen", on: "Home"), .close("Contacting John Doe"),
    .close("Home"),
  ]
}
