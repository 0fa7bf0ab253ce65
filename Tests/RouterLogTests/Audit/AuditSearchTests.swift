import Testing

@testable import Router
@testable import RouterCore

@Suite(.timeLimit(.minutes(10)))
struct AuditSearchTests {
  let log: AuditLog
  let reader: AuditReader
  let samples = AuditSamples()
  /// The presentations by number, in request order. The last one is open.
  let presentations: [Presentation]

  init() async throws {
    log = try AuditLog.inMemory()
    reader = try AuditReader(log)
    let dialog = PresentationRequest(
      kind: .confirmationDialog, title: "Café ÄÖ", buttons: [PresentationRequest.Button(id: "x", label: "X")], surface: "desk")
    presentations = [
      samples.presentation(0, PresentationRequest(kind: .alert, title: "Deploy 100%?", message: "now_or later"), app: "deploy"),
      samples.presentation(1, PresentationRequest(kind: .sheet, sheet: "contact"), app: "mail", uid: 1001),
      samples.presentation(2, dialog, app: "deploy"),
      samples.presentation(3, PresentationRequest(kind: .fullScreenCover, sheet: "tour", surface: "desk"), uid: 1001),
      samples.presentation(4, PresentationRequest(kind: .alert, title: #"back\slash 100x"#)),
      samples.presentation(5, PresentationRequest(kind: .alert, title: "Still open: deploy?")),
    ]
    for presentation in presentations { try await log.append([samples.requested(presentation)]) }
    // They end out of request order, two of them in one transaction.
    try await log.append([samples.resolved(presentations[2], .expired(.queued))])
    try await log.append([
      samples.resolved(presentations[1], .answered(.value(["name": "Ada \"L\"", "age": 36, "tags": ["sea", 7]]))),
      samples.resolved(presentations[0], .answered(.button("go"))),
    ])
    try await log.append([samples.resolved(presentations[3], .cancelled(.requester))])
    try await log.append([samples.resolved(presentations[4], .failed("no display"))])
  }

  private func found(_ search: String, _ change: (inout AuditQuery) -> Void = { _ in }) async throws -> [Int] {
    var query = AuditQuery()
    query.order = .oldestFirst
    query.search = search
    change(&query)
    return try await reader.presentationPage(query).page.map { found in presentations.firstIndex { $0.id == found.id }! }
  }

  @Test(
    arguments: [
      ("deploy", [0, 5]), ("DEPLOY", [0, 5]), ("depl", []), ("depl*", [0, 5]), ("deploy later", [0]), ("later deploy", [0]),
      ("\"deploy 100\"", [0]), ("\"100 deploy\"", []), ("\"deploy 10\"*", [0]), ("contact", [1]), ("cafe", [2]), ("CAFÉ", [2]),
      ("go", []), ("ada", [1]), ("36", [1]), ("sea", [1]), ("display", [4]), ("open", [5]), ("contact ada", [1]), ("100", [0]),
      ("deploy nothing", []), ("now_or", [0]), ("back\\slash", [4]), ("100x", [4]),
    ] as [(String, [Int])])
  func `finds words, prefixes and phrases in ended and open presentations`(
    search: String, expected: [Int]
  ) async throws {
    #expect(try await found(search) == expected)
  }

  @Test(
    arguments: [
      ("*eplo", [0, 5]), ("*EPLO*", [0, 5]), ("*%", [0]), ("*_", [0]), ("*\\", [4]), ("*\"l op\"", [5]), ("*'", []),
      ("*é", [2]),
      ("*\"a \"", [1]), ("deploy *pen", [5]), ("*ea *da", [1]), ("*%\u{301}", []), ("*contac", [1]),
    ] as [(String, [Int])])
  func `finds literal substrings, ignoring the case of ASCII letters`(search: String, expected: [Int]) async throws {
    #expect(try await found(search) == expected)
  }

  @Test(arguments: ["type", "button", "answered", "queued", "requester", "detail", "name", "value", "*tton", "*nswered"])
  func `does not search the JSON around an answer`(search: String) async throws {
    #expect(try await found(search) == [])
  }

  @Test(
    arguments: [
      ("", "nothing to search for"), ("  ", "nothing to search for"), ("\"open", "not closed"), ("%", "*% finds it"),
      ("ok --", "no letter"), ("*", "needs something"), ("\"\"", "no letter"),
    ] as [(String, String)])
  func `explains why a search is invalid`(search: String, words: String) async throws {
    let error = await #expect(throws: RouterError.self) { try await found(search) }
    #expect(error?.code == .invalid)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.message.hasPrefix("cannot search") == true)
  }

  @Test(
    arguments: [
      "NOT deploy", "deploy OR", "title:deploy", "(deploy", "deploy)", "NEAR(deploy go)", "deploy AND", "^deploy", "a'b", "a;b",
      "{deploy}", "+deploy", "\u{0}deploy", "deploy\u{301}",
    ])
  func `treats no text as query syntax`(search: String) async throws {
    #expect(try await Set(found(search)).isSubset(of: [0, 5]))
  }

  @Test func `combines with filters, and pages contain each match once`() async throws {
    #expect(try await found("deploy") { $0.apps = ["deploy"] } == [0])
    #expect(try await found("deploy") { $0.outcomes = [.answered] } == [0])
    #expect(try await found("deploy") { $0.since = presentations[1].requestedAt } == [5])
    #expect(try await found("deploy") { $0.until = presentations[1].requestedAt } == [0])
    for order in AuditQuery.Order.allCases {
      var query = AuditQuery()
      query.search = "*o"
      query.order = order
      let whole = try await reader.presentationPage(query).page.map(\.id)
      #expect(whole.count == 5)
      query.limit = 1
      var ids: [PresentationID] = []
      repeat {
        let (page, next) = try await reader.presentationPage(query)
        ids += page.map(\.id)
        query.cursor = next
      } while query.cursor != nil
      #expect(ids == whole)
    }
  }

  @Test func `finds events and endings by their presentation's text`() async throws {
    var query = AuditQuery()
    query.order = .oldestFirst
    query.search = "deploy"
    #expect(try await reader.eventPage(query).page.map(\.kind) == [.requested, .requested, .answered])
    #expect(try await reader.resolved(query).page.map(\.id) == [presentations[0].id])
    query.search = "*ispla"
    #expect(try await reader.resolved(query).page.map(\.id) == [presentations[4].id])
  }

  @Test func `does not index sensitive answers`() async throws {
    let request = PresentationRequest(kind: .sheet, sheet: "login", sensitive: true)
    let secret = samples.presentation(9, request)
    try await log.append([samples.requested(secret)])
    try await log.append([samples.resolved(secret, PresentationOutcome.answered(.value("hunter2")).redacted(if: true))])
    #expect(try await found("hunter2") == [])
    #expect(try await found("*unter") == [])
    var query = AuditQuery()
    query.search = "login"
    #expect(try await reader.presentationPage(query).page.map(\.id) == [secret.id])
  }
}
