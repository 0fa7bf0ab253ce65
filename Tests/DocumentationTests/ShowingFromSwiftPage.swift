import Observation
import Router
import RouterClient
import RouterTesting
import Testing

private enum AppSheet: Sheet {
  case settings
  case contact(String)
}

private struct Uploading: Sheet {
  var file: String
}

private struct Checkout {
  func run() async throws {}
}

/// Start, on the program's own terminal.
private func startOnTheTerminal() async {
  do {
    try await withRouter {
      let isSure = try await confirm("Delete the cache?", button: "Delete", destructive: true)
      print(isSure ? "deleted" : "kept")
    }
  } catch {
    print(error)  // nobody decided: the input ended
  }
}

/// Start, through the daemon.
private func startWithTheDaemon() async {
  do {
    try await withRouter(RouterClient()) {
      print(try await confirm("Deploy 1.4.2?", button: "Deploy") ? "deploying" : "later")
    }
  } catch {
    print(error)  // nobody decided
  }
}

/// Inject a broker.
private func inject() async throws {
  let log = try AuditLog(path: "audit.db")  // or AuditLog.inMemory(), for a test
  let coordinator = try await PresentationCoordinator(log: log, presenter: .terminal)

  try await withEnvironment(\.presentationBroker, coordinator) {
    try await Checkout().run()
  }
  await coordinator.shutDown()
}

/// Set one action.
private func setOne() async throws {
  try await withEnvironment(\.showAlert, ShowAction { (_: AlertState<Bool>) in true }) {
    try await Checkout().run()
  }
}

/// A class whose properties are observed.
@Observable private final class Model {
  @ObservationIgnored @Environment(\.showSheet) private var showSheet

  func openSettings() async throws { try await showSheet(AppSheet.settings) }
}

/// Show an alert.
private enum Alerts {
  struct Cleaner {
    enum Choice { case delete }

    @Environment(\.showAlert) private var showAlert

    func clean(_ name: String) async throws {
      _ = try await showAlert(
        AlertState {
          "Delete \(name)?"
        } actions: {
          ButtonState(role: .destructive, action: Choice.delete) { "Delete" }
          ButtonState(role: .cancel) { "Keep" }
        } message: {
          "This cannot be undone."
        })
      // The person pressed Delete.
    }
  }
}

/// Show a sheet and get a typed answer.
private struct TypedAnswer {
  @Environment(\.showSheet) private var showSheet

  func ask() async throws -> String {
    struct PickAddress: Sheet {
      struct Answer: Codable {
        var street: String
        var number: Int
      }

      var recent: [String]

      var title: String { "Where to?" }

      var form: Form<Answer>? {
        Form(Answer(street: "", number: 0)) {
          TextField("Street", \.street, length: 1...100)
          NumberField("House number", \.number, in: 1 ... .max)
        }
      }
    }

    let address = try await showSheet(PickAddress(recent: []))  // a PickAddress.Answer
    return address.street
  }
}

/// An app's own enum of sheets under the name of the protocol.
private enum OwnName {
  enum Sheet: Router.Sheet { case settings }
}

private func markdown(patch: String) -> AlertState<Bool> {
  var alert = AlertState("Apply?", message: "Changes **one** file.") { ButtonState("Apply", action: true) }
  alert.messageFormat = .markdown
  alert.attachments = [.init(.diff, patch)]
  return alert
}

/// Do not wait.
private struct Screen {
  struct PickAddress: Sheet {
    typealias Answer = String
    var recent: [String]
  }

  @Environment(\.showSheet) private var showSheet

  func openSettings() {
    showSheet.post(AppSheet.settings, onDismiss: { await reload() })
    showSheet.post(PickAddress(recent: []))  // queued behind the settings
  }

  private func reload() async {}
}

/// Distinguish outcomes, choose a surface, and show a sheet during an operation.
private struct Ways {
  struct PickAddress: Sheet {
    typealias Answer = String
    var recent: [String]
  }

  @Environment(\.showSheet) private var showSheet
  @Environment(\.showAlert) private var showAlert

  func pick() async {
    switch await showSheet.result(of: PickAddress(recent: [])) {
    case .success(let address): ship(to: address)
    case .failure(.dismissed): break  // the person closed it
    case .failure: retryLater()  // no person answered
    }
  }

  func work() async throws {
    try await showSheet.during(Uploading(file: "notes.txt")) {
      try await upload()
    }
  }

  func confirm(_ alert: AlertState<Bool>) async throws -> [Bool] {
    let isConfirmed = try await showAlert(alert) {
      $0.surface = "kitchen"
      $0.priority = .high
    }
    let isConfirmedInTime = try await withEnvironment(\.presentationOptions.timeout, .seconds(60)) {
      try await showAlert(alert)
    }
    return [isConfirmed, isConfirmedInTime]
  }

  private func ship(to address: String) {}
  private func retryLater() {}
  private func upload() async throws {}
}

@Suite(.timeLimit(.minutes(10)))
struct ShowingFromSwiftPageTests {
  private typealias Cleaner = Alerts.Cleaner

  @Test func `an observed class reads its environment`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [.dismiss])
      try await Model().openSettings()
    }
  }

  @Test func `shows Markdown and a diff with an alert`() async throws {
    try await withTestRouter { router async throws in
      let presenter = router.presenter(script: [.press("Apply")])
      #expect(try await ShowAction()(markdown(patch: "+ new")))
      #expect(presenter.shown.first?.request.messageFormat == .markdown)
      #expect(presenter.shown.first?.request.attachments == [.init(.diff, "+ new")])
    }
  }

  @Test func `a sheet of an enum called Sheet is shown`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.dismiss])
      try await ShowAction()(OwnName.Sheet.settings)
      #expect(presenter.shown.map(\.request.sheet) == ["settings"])
    }
  }

  @Test func `passes the page's alert example`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.press("Delete")])
      try await Cleaner().clean("cache")
      #expect(presenter.shown.map(\.request.title) == ["Delete cache?"])
    }
  }
}
