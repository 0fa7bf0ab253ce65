import Testing

@testable import RouterCore

struct AlertStateTests {
  private enum Choice: Hashable, Codable, Sendable {
    case delete, archive(Int)
  }

  private func alert(_ count: Int, isArchivable: Bool, extra: [ButtonState<Choice>] = [], last: ButtonState<Choice>? = nil)
    -> AlertState<Choice>
  {
    AlertState {
      "Delete it?"
    } actions: {
      ButtonState(role: .destructive, action: .delete) { "Delete" }
      if isArchivable {
        ButtonState("Archive", id: "archive", action: .archive(0))
      }
      for index in 0..<count {
        ButtonState("Archive \(index)", action: .archive(index))
      }
      switch count {
      case 0: ButtonState("None", role: .cancel)
      default: ButtonState("Keep", role: .cancel)
      }
      if #available(macOS 99, *) { ButtonState("Newer") }
      extra
      last
    } message: {
      "For good."
    }
  }

  @Test func `buttons are built with if, for, switch, arrays and optionals`() {
    let alert = alert(2, isArchivable: true, extra: [ButtonState("X")], last: ButtonState("Y"))
    #expect(
      alert.buttons.map(\.label) == ["Delete", "Archive", "Archive 0", "Archive 1", "Keep", "Newer", "X", "Y"])
    #expect(self.alert(0, isArchivable: false).buttons.map(\.label) == ["Delete", "None", "Newer"])
  }

  @Test func `alerts are equal by content`() {
    #expect(alert(1, isArchivable: true) == alert(1, isArchivable: true))
    #expect(alert(1, isArchivable: true).hashValue == alert(1, isArchivable: true).hashValue)
    #expect(alert(1, isArchivable: true) != alert(1, isArchivable: false))
    #expect(ButtonState<Choice>("A") != ButtonState("A", id: "a"))
    #expect(ButtonState<Choice>("A") != ButtonState("A", action: .delete))
    #expect(ButtonState<Choice>("A") != ButtonState("A", role: .cancel))
    #expect(AlertState<Choice>("A") == AlertState<Choice> { "A" })
  }

  @Test func `finds buttons by id or position`() throws {
    let alert = alert(1, isArchivable: true)
    let request = PresentationRequest(alert)
    #expect(
      request
        == PresentationRequest(
          kind: .alert, title: "Delete it?", message: "For good.",
          buttons: [
            PresentationRequest.Button(id: "b1", label: "Delete", role: .destructive),
            PresentationRequest.Button(id: "archive", label: "Archive"),
            PresentationRequest.Button(id: "b3", label: "Archive 0"),
            PresentationRequest.Button(id: "b4", label: "Keep", role: .cancel),
            PresentationRequest.Button(id: "b5", label: "Newer"),
          ]))
    #expect(try PresentationRequest(json: request.json) == request)
    #expect(try alert.buttons.action(for: .button("b3")) == .archive(0))
    #expect(try alert.buttons.action(for: .button("b4")) == nil)
    #expect(throws: RouterError.self) { try alert.buttons.action(for: .button("b2")) }
    #expect(throws: RouterError.self) { try alert.buttons.action(for: .value(1)) }
    #expect(throws: RouterError.self) { try alert.buttons.action(for: .redacted) }
  }

  @Test func `adds an OK button to an alert without buttons`() throws {
    let alert = AlertState("Done.", message: "All of it.")
    #expect(PresentationRequest(alert).buttons == [PresentationRequest.Button(id: "ok", label: "OK")])
    #expect(try alert.buttons.action(for: .button("ok")) == nil)
    let never: AlertState<Never> = AlertState {
      "Done."
    } message: {
      "All of it."
    }
    #expect(never == alert)
    #expect(try JSONValue(encoding: never).decode(AlertState<Never>.self) == never)
  }

  @Test func `maps actions to another type`() throws {
    let mapped = alert(1, isArchivable: false).map { String(describing: $0) }
    #expect(mapped.buttons.map(\.action) == ["delete", "archive(0)", nil, nil])
    #expect(mapped.title == alert(1, isArchivable: false).title)
    struct Refused: Error, Equatable {}
    #expect(throws: Refused()) {
      _ = try ButtonState("A", action: Choice.delete).map { _ throws(Refused) -> Int in throw Refused() }
    }
  }

  @Test func `round-trips an alert`() throws {
    let alert = alert(2, isArchivable: true)
    #expect(try JSONValue(encoding: alert).decode(AlertState<Choice>.self) == alert)
  }
}
