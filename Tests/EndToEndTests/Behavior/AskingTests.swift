import OrderedCollections
import Router
import RouterTesting
import Testing

/// Asking through the injected actions: what reaches the presenter, and what comes back.
@Suite(.timeLimit(.minutes(10)))
struct AskingTests {
  @Test(arguments: Place.allCases)
  func `returns a sheet's answer with its type`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      async let color = Screen().showSheet.wrappedValue(PickColor())
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.sheet == "PickColor")
      #expect(shown.request.payload == ["colors": ["red", "blue"]])
      try await presenter.answer("blue", on: shown)
      #expect(try await color == "blue")
    }
  }

  @Test(arguments: Place.allCases)
  func `returns nil as an answer of an optional type`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker, script: [.answer(nil), .answer(nil), .answer("Jo")])
      let nothing = try await ShowAction()(PickNickname())
      #expect(nothing == nil)
      #expect(await ShowAction().result(of: PickNickname()) == .success(nil))
      #expect(try await ShowAction()(PickNickname()) == "Jo")
      #expect(presenter.shown.count == 3)
    }
  }

  @Test(arguments: Place.allCases)
  func `refuses values that violate the form and stays open for a valid one`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      async let address = ShowAction()(AddressForm())
      let shown = try await presenter.nextPresentation()
      #expect(try shown.request.schema == PresentationRequest(AddressForm()).schema)
      for wrong: JSONValue in [["street": "Hill Road"], ["street": "Hill Road", "number": 0], ["street": "", "number": 1], 7] {
        let error = await #expect(throws: RouterError.self) { try await presenter.answer(wrong, on: shown) }
        #expect(error?.code == .impossible, "\(wrong)")
      }
      try await presenter.answer(["street": "Hill Road", "number": 7], on: shown)
      #expect(try await address == Address(street: "Hill Road", number: 7))
    }
  }

  @Test(arguments: Place.allCases)
  func `returns the action of the pressed button`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      async let choice = Screen().showAlert.wrappedValue(Screen.deletion)
      let shown = try await presenter.nextPresentation()
      #expect(
        shown.request.buttons == [
          PresentationRequest.Button(id: "b1", label: "Delete", role: .destructive),
          PresentationRequest.Button(id: "b2", label: "Not now", role: .cancel),
        ])
      try await presenter.press("Delete", on: shown)
      #expect(try await choice == .delete)
    }
  }

  @Test(arguments: Place.allCases)
  func `passes the default button and the severity to the presenter`(place: Place) async throws {
    try await place.run { house in
      let presenter = TestPresenter(house.broker)
      let alert = AlertState<Bool>("Delete?") {
        ButtonState("Keep", role: .cancel, action: false)
        ButtonState("Delete", role: .destructive, isDefault: true, action: true)
      }
      async let isDeleted = ShowAction()(alert, options: { $0.severity = .critical })
      let shown = try await presenter.nextPresentation()
      let prompt = PromptDescription(shown)
      #expect(prompt.buttons.map(\.isDefault) == [false, true])
      #expect(prompt.severity == .critical)
      try await presenter.press("Delete", on: shown)
      #expect(try await isDeleted)
      #expect(try await house.reader.presentation(shown.id)?.request == shown.request)
    }
  }

  @Test(arguments: Place.allCases)
  func `delivers and logs the person's comment`(place: Place) async throws {
    try await place.run { house in
      let presenter = TestPresenter(house.broker)
      let asked = house.broker.submit(.alert("Delete?"))
      var shown = try await presenter.nextPresentation()
      try await presenter.press(id: "no", on: shown, comment: "use trash\nplease")
      #expect(try await asked.resolved().comment == "use trash\nplease")
      let recorded = try await house.reader.presentation(shown.id)
      #expect(recorded?.json["outcome"] == ["type": "answered", "button": "no", "comment": "use trash\nplease"])
      let closed = house.broker.submit(.alert("Delete?"))
      shown = try await presenter.nextPresentation()
      try await presenter.dismiss(shown, comment: "not now")
      #expect(try await closed.resolved().json["outcome"] == ["type": "dismissed", "comment": "not now"])
      let silent = house.broker.submit(.alert("Delete?"))
      try await presenter.dismiss(try await presenter.nextPresentation(), comment: "")
      #expect(try await silent.resolved().json["outcome"] == ["type": "dismissed"])
      var query = house.query
      query.search = "trash"
      #expect(try await house.reader.presentationPage(query).page.map(\.comment) == ["use trash\nplease"])
    }
  }

  @Test(arguments: Place.allCases.unshared(because: "shared surfaces accept no sensitive requests"))
  func `rejects a comment that is too long, reorders text or is about a sensitive prompt`(place: Place) async throws {
    try await place.run { house in
      let presenter = TestPresenter(house.broker)
      let plain = house.broker.submit(.alert("?"))
      var shown = try await presenter.nextPresentation()
      for comment in [String(repeating: "x", count: 4_097), "a\u{202E}b", "\u{200B}"] {
        let refusal = await #expect(throws: RouterError.self) {
          try await presenter.press(id: "no", on: shown, comment: comment)
        }
        #expect(refusal?.field == "/comment")
      }
      try await presenter.press(id: "no", on: shown, comment: String(repeating: "x", count: 4_096))
      #expect(try await plain.resolved().comment?.count == 4_096)
      var request = PresentationRequest.alert("Secret?")
      request.sensitive = true
      let secret = house.broker.submit(request)
      shown = try await presenter.nextPresentation()
      let refusal = await #expect(throws: RouterError.self) { try await presenter.press(id: "no", on: shown, comment: "why") }
      #expect(refusal?.field == "/comment")
      secret.cancel()
      _ = try await secret.outcome()
    }
  }

  @Test(arguments: Place.allCases)
  func `refuses a request with a toggle, and names the field`(place: Place) async throws {
    try await place.run { house in
      var request = PresentationRequest.alert("Delete?")
      request.suppressionToggle = "Don't ask again"
      let handle = house.broker.submit(request)
      let refusal = await #expect(throws: RouterError.self) { try await handle.accepted() }
      #expect(refusal?.code == .invalid && refusal?.field == "/suppressionToggle")
    }
  }

  @Test(arguments: Place.allCases)
  func `throws dismissed for a button without an action, and logs the button`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker, script: [.press("Not now")])
      await #expect(throws: NoAnswer.dismissed) {
        _ = try await Screen().showAlert.wrappedValue(Screen.deletion)
      }
      let id = try #require(presenter.shown.first?.id)
      #expect(try await host.reader.presentation(id)?.outcome == .answered(.button("b2")))
    }
  }

  @Test(arguments: Place.allCases)
  func `gives an alert without buttons an OK, and returns when it is closed`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker, script: [.press("OK"), .dismiss])
      try await ShowAction()(AlertState("Done."))
      try await ShowAction()(AlertState("Done."))
      #expect(
        presenter.shown.map(\.request.buttons)
          == Array(repeating: [PresentationRequest.Button(id: "ok", label: "OK")], count: 2))
    }
  }

  @Test(arguments: Place.allCases)
  func `returns a confirmation dialog's action, and passes on titleVisibility`(place: Place) async throws {
    try await place.run { host async throws in
      let presenter = TestPresenter(host.broker, script: [.press(id: "archive"), .press("Nothing")])
      #expect(await ShowAction().result(of: Screen.dialog) == .success(.archive))
      #expect(await ShowAction().result(of: Screen.dialog) == .failure(.dismissed))
      #expect(presenter.shown.map(\.request.kind) == [.confirmationDialog, .confirmationDialog])
      #expect(presenter.shown.map(\.request.titleVisibility) == [.visible, .visible])
    }
  }

  @Test(arguments: Place.allCases)
  func `shows a full-screen cover as a separate kind`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker, script: [.answer("red"), .dismiss])
      #expect(try await ShowAction(as: .fullScreenCover)(PickColor()) == "red")
      try await ShowAction(as: .fullScreenCover)(AppSheet.contact("John Doe"))
      #expect(presenter.shown.map(\.request.kind) == [.fullScreenCover, .fullScreenCover])
      #expect(try presenter.shown.last?.request.payload?.decode(AppSheet.self) == .contact("John Doe"))
    }
  }

  @Test(arguments: Place.allCases)
  func `passes surface, priority, app and metadata to the presenter`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker, on: "kitchen")
      let options = PresentationOptions(surface: "kitchen", priority: .high, app: "oven", metadata: ["dish": "pie"])
      async let outcome = withEnvironment(\.presentationOptions, options) {
        await ShowAction().result(of: AppSheet.settings)
      }
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.priority == .high)
      #expect(shown.request.metadata == ["dish": "pie"])
      #expect(shown.requester.app == "oven")
      #expect(shown.requester.process.pid == ProcessIdentity.current.pid)
      try await presenter.dismiss(shown)
      #expect(await outcome == .failure(.dismissed))
    }
  }

  @Test(arguments: Place.allCases)
  func `inherits the broker in child tasks, but not in detached tasks`(place: Place) async throws {
    try await place.run { host async throws in
      let presenter = TestPresenter(host.broker, script: [.answer("red")])
      async let color = ShowAction()(PickColor())
      #expect(try await color == "red")
      #expect(presenter.shown.count == 1)
      let error = await Task.detached {
        await #expect(throws: RouterError.self) { _ = try await ShowAction()(PickColor()) }
      }.value
      #expect(error?.code == .notInjected)
    }
  }

  @Test(arguments: Place.allCases)
  func `overrides the broker within an inner environment only`(place: Place) async throws {
    try await place.run { host async throws in
      let presenter = TestPresenter(host.broker, script: [.answer("red"), .answer("blue")])
      try await withTestRouter { inner in
        _ = inner.presenter(script: [.answer("green")])
        #expect(try await ShowAction()(PickColor()) == "green")
        let outer = try await withEnvironment(\.presentationBroker, host.broker) { try await ShowAction()(PickColor()) }
        #expect(outer == "red")
      }
      #expect(try await ShowAction()(PickColor()) == "blue")
      #expect(presenter.shown.count == 2)
    }
  }

  @Test(arguments: Place.allCases)
  func `names the field of an invalid request and records nothing`(place: Place) async throws {
    try await place.run { host async throws in
      let hostile = await #expect(throws: RouterError.self) {
        try await ShowAction()(AlertState("Delete\u{202E}?"))
      }
      #expect(hostile?.code == .invalid)
      #expect(hostile?.field == "/title")
      let empty = await #expect(throws: RouterError.self) {
        try await ShowAction()(ConfirmationDialogState<Never>("Which?") {})
      }
      #expect(empty?.field == "/buttons")
      #expect(try await host.reader.presentationPage(host.query).page.isEmpty)
    }
  }

  @Test(arguments: Place.allCases)
  func `shows a sheet while an operation runs`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let gate = Gate()
      async let result = ShowAction().during(AppSheet.settings) {
        await gate.wait()
        return 7
      }
      let shown = try await presenter.nextPresentation()
      gate.open()
      #expect(try await result == 7)
      #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
      #expect(try await host.reader.presentation(shown.id)?.outcome == .cancelled(.requester))
    }
  }
}
