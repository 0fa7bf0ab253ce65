import OrderedCollections
import Router
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AuditQueryTests {
  let log: AuditLog
  let reader: AuditReader
  let samples = AuditSamples()
  /// The presentations by number, in request order.
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
      samples.presentation(5, PresentationRequest(kind: .alert, title: "still open")),
    ]
    for presentation in presentations { try await log.append([samples.requested(presentation)]) }
    try await log.append([
      samples.resolved(presentations[2], .expired(.queued)),
      samples.resolved(presentations[0], .answered(.button("go"))),
      samples.resolved(presentations[1], .answered(.value(["name": "Ada \"L\""]))),
      samples.resolved(presentations[3], .cancelled(.requester)),
      samples.resolved(presentations[4], .failed("no display")),
    ])
  }

  /// The numbers of the presentations found, in request order.
  private func found(_ change: (inout AuditQuery) -> Void) async throws -> [Int] {
    var query = AuditQuery()
    query.order = .oldestFirst
    change(&query)
    let page = try await reader.presentationPage(query).page
    return page.map { found in presentations.firstIndex { $0.id == found.id }! }
  }

  @Test func `each filter finds its presentations`() async throws {
    #expect(try await found { _ in } == [0, 1, 2, 3, 4, 5])
    #expect(try await found { $0.apps = ["deploy"] } == [0, 2])
    #expect(try await found { $0.apps = ["deploy", "mail"] } == [0, 1, 2])
    #expect(try await found { $0.uids = [1001] } == [1, 3])
    #expect(try await found { $0.surfaces = ["desk"] } == [2, 3])
    #expect(try await found { $0.kinds = [.alert, .sheet] } == [0, 1, 4, 5])
    #expect(try await found { $0.sheets = ["contact"] } == [1])
    #expect(try await found { $0.outcomes = [.answered] } == [0, 1])
    #expect(try await found { $0.outcomes = [.expired, .failed] } == [2, 4])
    #expect(try await found { $0.reasons = ["queued"] } == [2])
    #expect(try await found { $0.reasons = ["requester", "queued"] } == [2, 3])
  }

  @Test func `a time span includes its start and excludes its end`() async throws {
    #expect(try await found { $0.since = presentations[2].requestedAt } == [2, 3, 4, 5])
    #expect(try await found { $0.until = presentations[2].requestedAt } == [0, 1])
    #expect(
      try await found {
        $0.since = presentations[1].requestedAt
        $0.until = presentations[3].requestedAt
      } == [1, 2])
  }

  @Test func `combines filters`() async throws {
    #expect(
      try await found {
        $0.apps = ["deploy", "mail"]
        $0.outcomes = [.answered]
        $0.uids = [1000]
      } == [0])
    #expect(
      try await found {
        $0.surfaces = ["desk"]
        $0.kinds = [.sheet]
      } == [])
    #expect(
      try await found {
        $0.search = "*o"
        $0.since = presentations[1].requestedAt
        $0.outcomes = [.failed, .cancelled]
      } == [3, 4])
  }

  @Test(arguments: [0, -1, .min, .max])
  func `refuses a limit that no page has`(limit: Int) async throws {
    var query = AuditQuery()
    query.limit = limit
    let error = await #expect(throws: RouterError.self) { try await reader.presentationPage(query) }
    #expect(error?.code == .invalid && error?.field == "limit")
  }

  @Test(arguments: AuditQuery.Order.allCases, [1, 2, 3, 5, 6, 7])
  func `pages contain each presentation once, even while more are added`(order: AuditQuery.Order, limit: Int) async throws {
    var query = AuditQuery()
    query.order = order
    query.limit = limit
    var ids: [PresentationID] = []
    var added: [PresentationID] = []
    repeat {
      let (page, next) = try await reader.presentationPage(query)
      #expect(page.count <= limit)
      ids += page.map(\.id)
      query.cursor = next
      if added.count < 2 {
        let new = samples.presentation(6 + added.count)
        try await log.append([samples.requested(new)])
        added.append(new.id)
      }
    } while query.cursor != nil
    let old = presentations.map(\.id)
    switch order {
    case .newestFirst: #expect(ids == old.reversed())
    case .oldestFirst:
      #expect(ids.starts(with: old))
      #expect(ids == Array((old + added).prefix(ids.count)))
    }
  }

  @Test func `finds events by their presentation and time`() async throws {
    var query = AuditQuery()
    query.order = .oldestFirst
    #expect(try await reader.eventPage(query).page.map(\.seq) == Array(1...11))
    query.apps = ["deploy"]
    #expect(try await reader.eventPage(query).page.map(\.kind) == [.requested, .requested, .expired, .answered])
    query.since = presentations[2].requestedAt.advanced(by: .seconds(1))
    #expect(try await reader.eventPage(query).page.map(\.kind) == [.expired])
    query = AuditQuery()
    query.limit = 2
    let (page, next) = try await reader.eventPage(query)
    #expect(page.map(\.seq) == [11, 10])
    #expect(next == 10)
    query.cursor = 4
    query.through = 2
    #expect(try await reader.eventPage(query).page.map(\.seq) == [2, 1])
  }

  @Test func `includes events without a presentation unless filtered`() async throws {
    try await log.append([samples.stopped()])
    #expect(try await reader.eventPage(AuditQuery()).page.first?.kind == .daemonStopped)
    var query = AuditQuery()
    query.surfaces = ["main"]
    #expect(try await reader.eventPage(query).page.allSatisfy { $0.presentation != nil })
  }

  @Test func `passes each event after a number once, oldest first, in pages`() async throws {
    let first = try await reader.lastSeq()
    try await log.append((0..<2500).map { samples.note("\($0)") })
    var pages: [[Int64]] = []
    let last = try await reader.passEvents(after: first) { page in
      pages.append(page.map(\.event.seq))
      // Fails instead of going on without end.
      try #require(pages.count <= 3)
    }
    #expect(pages.map(\.count) == [1000, 1000, 500])
    #expect(pages.flatMap(\.self) == Array(first + 1...last))
    #expect(try await reader.passEvents(after: last) { _ in Issue.record("there are no more events") } == last)
  }

  @Test func `returns ended presentations once, in order of ending`() async throws {
    var query = AuditQuery()
    query.order = .oldestFirst
    query.limit = 2
    var ids: [PresentationID] = []
    repeat {
      let (page, next) = try await reader.resolved(query)
      ids += page.map(\.id)
      query.cursor = next
    } while query.cursor != nil
    #expect(ids == [2, 0, 1, 3, 4].map { presentations[$0].id })
    query = AuditQuery()
    query.outcomes = [.answered]
    #expect(try await reader.resolved(query).page.map(\.id) == [1, 0].map { presentations[$0].id })
  }

  @Test func `returns a flow with two answers once`() async throws {
    let flow = samples.presentation(6, PresentationRequest(kind: .sheet, sheet: "step", flow: true))
    try await log.append([samples.requested(flow), samples.presented(flow)])
    let before = try await reader.lastSeq()
    try await log.append([samples.answered(flow, .button("next")), samples.presented(flow, after: .seconds(2))])
    var query = AuditQuery()
    query.cursor = before
    query.order = .oldestFirst
    #expect(try await reader.resolved(query).page.isEmpty)
    try await log.append([samples.resolved(flow, .answered(.button("done")))])
    #expect(try await reader.resolved(query).page.map(\.id) == [flow.id])
    // A reader that stopped between the two answers has not seen it yet.
    query.cursor = before + 2
    #expect(try await reader.resolved(query).page.map(\.id) == [flow.id])
  }

  @Test func `finds an id by its prefix or suffix`() async throws {
    let id = presentations[3].id
    #expect(try await reader.ids(beginningOrEndingWith: String(id.description.suffix(12))) == [id])
    #expect(try await reader.ids(beginningOrEndingWith: id.description.suffix(12).uppercased()) == [id])
    #expect(try await reader.ids(beginningOrEndingWith: String(id.description.prefix(23))) == [id])
    #expect(try await reader.ids(beginningOrEndingWith: id.description) == [id])
    let common = String(id.description.prefix(6))
    #expect(try await reader.ids(beginningOrEndingWith: common, limit: 3) == presentations.prefix(3).map(\.id))
    #expect(try await reader.ids(beginningOrEndingWith: "%%%%") == [])
    #expect(try await reader.ids(beginningOrEndingWith: "____") == [])
    // In order of request, whether the part is a beginning or an end.
    let ends = presentations.filter { $0.id.description.hasSuffix(String(id.description.suffix(1))) }.map(\.id)
    #expect(
      try await reader.ids(beginningOrEndingWith: String(id.description.suffix(1)), limit: 1000).filter(ends.contains) == ends)
  }
}
