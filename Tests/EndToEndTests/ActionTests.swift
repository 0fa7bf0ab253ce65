import Router
import RouterClient
import RouterTesting
import Testing

/// The injected actions, over the coordinator of this process and over a real daemon: they cannot tell which it is.
@Suite(.timeLimit(.minutes(2)))
struct ActionTests {
  enum Place: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case inProcess, daemon

    var testDescription: String { rawValue }

    /// Runs a body with a broker that requests and presenters share.
    func run(_ body: (any PresentationBroker) async throws -> Void) async throws {
      switch self {
      case .inProcess:
        let coordinator = try await PresentationCoordinator(log: .inMemory(), app: "tests")
        try await withEnvironment(\.presentationBroker, coordinator) { try await body(coordinator) }
        await coordinator.shutDown()
      case .daemon:
        try await TestDaemon.run { daemon in
          try await withEnvironment(\.presentationBroker, daemon.client) { try await body(daemon.client) }
        }
      }
    }
  }

  struct PickColour: Sheet {
    typealias Answer = String
    var colours: [String]
  }

  enum AppSheet: Sheet {
    case settings
    case contact(String)
  }

  /// What asks, as an app's own code would.
  struct Screen: Sendable {
    let showSheet = Environment(\.showSheet)
    let showAlert = Environment(\.showAlert)
  }

  enum Choice: Codable, Sendable, Hashable { case delete, keep }

  private var deletion: AlertState<Choice> {
    AlertState {
      TextState("Delete?")
    } actions: {
      ButtonState(role: .destructive, action: Choice.delete) { TextState("Delete") }
      ButtonState(role: .cancel) { TextState("Not now") }
    }
  }

  @Test(arguments: Place.allCases)
  func `a sheet's answer comes back typed`(place: Place) async throws {
    try await place.run { broker in
      let presenter = TestPresenter(broker)
      async let colour = Screen().showSheet.wrappedValue(PickColour(colours: ["red", "blue"]))
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.sheet == "PickColour")
      #expect(shown.request.payload == ["colours": ["red", "blue"]])
      try await presenter.answer("blue", on: shown)
      #expect(try await colour == "blue")
    }
  }

  @Test(arguments: Place.allCases)
  func `an alert's answer is its button's action, and a button without one is a dismissal`(place: Place) async throws {
    try await place.run { broker in
      let presenter = TestPresenter(broker)
      let alert = deletion
      async let choice = Screen().showAlert.wrappedValue(alert)
      try await presenter.press("b1", on: try await presenter.nextPresentation())
      #expect(try await choice == .delete)

      async let other = Screen().showAlert.wrappedValue(alert)
      try await presenter.press("b2", on: try await presenter.nextPresentation())
      do {
        _ = try await other
        Issue.record("a button without an action returned something")
      } catch let error as PresentationCancellation {
        #expect(error.reason == .dismissed)
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `two fire and forget keep their order, and each is called back once`(place: Place) async throws {
    try await place.run { broker in
      let presenter = TestPresenter(broker)
      let (calls, continuation) = AsyncStream<String>.makeStream()
      Screen().showSheet.wrappedValue(AppSheet.settings, onDismiss: { continuation.yield("settings") })
      Screen().showSheet.wrappedValue(AppSheet.contact("John Doe"), onDismiss: { continuation.yield("contact") })
      var called = calls.makeAsyncIterator()
      for name in ["settings", "contact"] {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.sheet == name)
        try await presenter.dismiss(shown)
        #expect(await called.next() == name)
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `cancelling the task takes the sheet away`(place: Place) async throws {
    try await place.run { broker in
      let presenter = TestPresenter(broker)
      let asking = Task { try await Screen().showSheet.wrappedValue(PickColour(colours: [])) }
      let shown = try await presenter.nextPresentation()
      asking.cancel()
      #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
      let error = await #expect(throws: PresentationCancellation.self) { try await asking.value }
      #expect(error?.reason == .cancelled(.requester))
    }
  }
}
