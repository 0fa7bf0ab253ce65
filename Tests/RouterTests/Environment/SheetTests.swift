import Router
import Testing

struct SheetTests {
  private enum Raw: String, Sheet {
    case home, farAway = "far-away"
  }

  private enum Numbered: Int, Sheet {
    case one = 1
  }

  private enum Named: Sheet {
    case a
    static let sheetName = "fixed"
    var sheetName: String { Self.sheetName }
  }

  private enum Odd: Sheet {
    case café
    case 東京
  }

  private struct Generic<Value: Codable & Hashable & Sendable>: Sheet {
    var value: Value
  }

  private struct Login: Sheet {
    struct Answer: Codable, Sendable {
      var user: String
      var password: String
    }

    let id: Int
    var title = "Log in"
    var message: String { "To \(id)" }
    var form: Form<Answer>? {
      Form(Answer(user: "", password: "")) {
        TextField("User", \.user)
        SecureField("Password", \.password)
      }
    }
  }

  private struct Unencodable: Sheet {
    var number = Double.nan
  }

  @Test func `names a sheet after its case or type`() {
    #expect(AppSheet.settings.sheetName == "settings")
    #expect(AppSheet.contact("John Doe").sheetName == "contact")
    #expect(AppSheet.sheetName == "AppSheet")
    #expect(Raw.home.sheetName == "home")
    #expect(Raw.farAway.sheetName == "far-away")
    #expect(Numbered.one.sheetName == "Numbered")
    #expect(Named.a.sheetName == "fixed")
    #expect(Odd.café.sheetName == "caf")
    #expect(Odd.東京.sheetName == "Odd")
    #expect(PickAddress(recent: []).sheetName == "PickAddress")
    #expect(Generic(value: [1]).sheetName == "GenericArrayInt")
    #expect(Unencodable().sheetName == "Unencodable")
  }

  @Test func `uses the sheet itself as its id unless it declares one`() {
    #expect(AppSheet.settings.id == .settings)
    #expect(Login(id: 7).id == 7)
  }

  @Test func `converts a sheet to a request`() throws {
    #expect(
      try PresentationRequest(PickAddress(recent: []))
        == PresentationRequest(kind: .sheet, sheet: "PickAddress", payload: ["recent": []]))
    let login = try PresentationRequest(Login(id: 7))
    #expect(login.title == "Log in")
    #expect(login.message == "To 7")
    #expect(login.schema?.properties.map(\.name) == ["user", "password"])
    #expect(login.sensitive)
    #expect(try PresentationRequest(json: login.json) == login)
    #expect(throws: (any Error).self) { try PresentationRequest(Unencodable()) }
  }

  @Test func `says of a sheet without an answer that it has none`() throws {
    let settings = try PresentationRequest(AppSheet.settings)
    #expect(
      settings.json == [
        "kind": "sheet", "sheet": "settings", "payload": ["settings": [:]], "hasAnswer": false,
        "surface": "main", "priority": "normal", "conflictPolicy": "enqueue",
      ])
    #expect(try PresentationRequest(json: settings.json) == settings)
    #expect(try PresentationRequest(PickAddress(recent: [])).hasAnswer)
  }

  @Test func `decodes the sheet from the request's payload`() throws {
    for sheet in [AppSheet.settings, .contact("John Doe")] {
      #expect(try PresentationRequest(sheet).payload?.decode(AppSheet.self) == sheet)
    }
  }
}
