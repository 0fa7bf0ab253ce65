import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog

/// What a host reports, twice, while another host takes the lead.
/// Promise P32.
@Suite(.timeLimit(.minutes(10)))
struct TakeoverTests {
  /// When the leader changes, beside the two copies of a report.
  enum Moment: CaseIterable {
    case never, neverInOneBatch
    /// Before the first is decided, while it waits.
    case before
    /// The old leader tries to record the first after it has lost the lead.
    case duringFirst
    /// After the old leader has recorded the first, and before it learns of that: it stops, and leads again from its old copy.
    case afterCommit
    case between, betweenTwice
  }

  private let record = SimulatedRecord()
  private let act = Act("deploy", object: "host")
  private static let time = Timestamp("2026-11-21T07:00:00.000Z")!

  private func gamma(_ number: Int, _ fill: (inout PresentationAsk) -> Void = { _ in }) throws -> PresentationAsk {
    var ask = PresentationAsk(PresentationID(number: number))
    ask.draft.buttons = [PresentationRequest.Button(id: "ok", label: "OK")]
    ask.attached = false
    fill(&ask)
    return try ask.checked()
  }

  /// Sends and decides an input of gamma, which has no daemon here.
  private func decide(_ inputs: [SharedInput], _ leader: SimulatedHost) async throws {
    for input in inputs { record.send(input, from: "gamma") }
    try await leader.decide()
  }

  private var presenter: PresenterIdentity { PresenterIdentity(1) }
  private let ended = PresentationID(number: 1)
  private let open = PresentationID(number: 2)

  /// What a host can send about an ended and an open presentation, by name.
  private func inputs() throws -> [(name: String, input: SharedInput)] {
    func report(_ detail: Event.Detail, of id: PresentationID? = nil) -> SharedInput {
      .record(Event(at: Self.time, presentation: id ?? ended, detail))
    }
    let by = Presentation.Responder(process: try gamma(1).requester.process)
    let person = Presentation.Responder(process: ProcessIdentity(uid: 9, gid: 9, pid: 9))
    return [
      ("delivered", report(.delivered)),
      ("callbackDelivered", report(.callbackDelivered(Event.CallbackDelivered(attempts: 1)))),
      ("callbackFailed", report(.callbackFailed(.init(error: "no", attempts: 1, nextIn: .seconds(1))))),
      ("callbackFailed for good", report(.callbackFailed(.init(error: "no", attempts: 3)))),
      ("ran", report(.ran(Presentation.Ran(ActReport(act: act.digest, .status(0)), by: by)))),
      ("callbackDelivered before the end", report(.callbackDelivered(Event.CallbackDelivered(attempts: 1)), of: open)),
      (
        "callbackDelivered of none",
        report(.callbackDelivered(Event.CallbackDelivered(attempts: 1)), of: PresentationID(number: 99))
      ),
      ("requesterGone", .input(.change(open, Verbs.RequesterGone(.requesterGone)))),
      ("detach", .input(.change(open, Verbs.Detach()))),
      ("claim", .input(.change(open, Verbs.Claim()))),
      ("presenterAttached", .input(.presenterAttached(PresenterID(2), presenter, surface: "main"))),
      ("presenterDetached", .input(.presenterDetached(PresenterID(1), surface: "main"))),
      ("presenters", .presenters([PresenterID(2): presenter])), ("restarted", .restarted),
      ("request", .input(.request(try gamma(3)))),
      ("answer", .input(.change(open, Verbs.Answer(.button("ok")), by: person))),
      ("dismiss", .input(.change(open, Verbs.Dismiss(), by: person))),
      ("snooze", .input(.change(open, Verbs.Snooze(for: .seconds(60)), by: person))),
      ("raise", .input(.change(open, Verbs.Raise(), by: person))),
      ("pauseSession", .input(.change(open, Verbs.PauseSession(for: .seconds(60)), by: person))),
      ("fail", .input(.change(open, Verbs.Fail("no"), by: person))),
      ("cancel", .input(.change(open, Verbs.Cancel(), by: by))),
    ]
  }

  @Test(arguments: Moment.allCases) func `records no report or fact that the hosts cannot follow`(moment: Moment) async throws {
    for (name, input) in try inputs() { try await Self().check(name, input, moment) }
  }

  private func check(_ name: String, _ input: SharedInput, _ moment: Moment) async throws {
    let comment = Comment(rawValue: "\(name), \(moment)")
    var alpha = try await record.host("alpha")
    let beta = try await record.host("beta")
    try await alpha.lead()
    try await beta.follow()
    let first = try gamma(1) { ask in
      ask.hasCallback = true
      ask.draft.act = act
    }
    try await decide([.input(.presenterAttached(PresenterID(1), presenter, surface: "main")), .input(.request(first))], alpha)
    let person = Presentation.Responder(process: ProcessIdentity(uid: 9, gid: 9, pid: 9))
    try await decide([.input(.change(ended, Verbs.Answer(.button("ok")), by: person))], alpha)
    try await decide([.input(.request(try gamma(2)))], alpha)
    #expect(record.inbox.allSatisfy { $0.reply == .accepted }, comment)

    let row = record.send(input, from: "gamma")
    var leader = alpha
    switch moment {
    case .never: try await alpha.decide()
    case .neverInOneBatch: break
    case .before:
      try await beta.lead()
      leader = beta
    case .duringFirst:
      record.state.withLock { $0.epoch += 1 }
      try await alpha.decide()
      #expect(await !alpha.coordinator.isLeading, comment)
      try await beta.lead()
      leader = beta
    case .afterCommit:
      let copied = record.records.count
      try await alpha.decide()
      #expect(record.inbox[row].reply != nil, comment)
      await alpha.kill()
      alpha = try await record.host("alpha", copied: copied)
      try await alpha.lead()
      leader = alpha
    case .between, .betweenTwice:
      try await alpha.decide()
      try await beta.lead()
      leader = beta
      if moment == .betweenTwice {
        // It finds out by a commit that it does not lead any more.
        await alpha.coordinator.checkLeadership()
        await alpha.settle()
        try await alpha.lead()
        leader = alpha
      }
    }
    let again = record.send(input, from: "gamma")
    try await leader.decide()
    #expect(record.inbox[row].reply != nil && record.inbox[again].reply != nil, comment)
    #expect(await leader.coordinator.isLeading, comment)

    let events = try record.records.map { try $0.event() }
    let results = events.filter { $0.isOfCallback && $0.isLastOfCallback }
    #expect(results.count <= 1 && events.count { $0.kind == .ran } <= 1, comment)
    if results.count == 1 { #expect(record.inbox[again].reply == .notOpen, comment) }
    for host in [alpha, beta] {
      if await host.coordinator.isLeading, host.name != leader.name {
        await host.coordinator.checkLeadership()
        await host.settle()
      }
      try await host.follow()
      #expect(host.log.head.seq == Int64(record.records.count), comment)
      let faults = try await AuditReader(host.log).verify().faults
      #expect(faults == [], comment)
      #expect(await host.coordinator.contradiction == nil, comment)
    }
    let copy = try record.copy()
    #expect(try await AuditReader(copy).verify().faults == [], comment)
    let fold = try await AuditReader(copy).fold(at: await leader.coordinator.now)
    #expect(await leader.coordinator.presentations().map(\.id) == fold.surfaces["main"]?.ordered ?? [], comment)
    for host in [alpha, beta] { await host.stop() }
  }

  /// Accepts each callback.
  private final class AcceptingSender: CallbackSender {
    private let called = AsyncStream<PresentationID>.makeStream()

    func send(_ presentation: Presentation, to address: PresentationRequest.CallbackAddress) async throws {
      called.continuation.yield(presentation.id)
    }

    /// Waits for the next callback.
    func next() async -> PresentationID? { await called.stream.first { _ in true } }
  }

  /// A host that is killed right after its callback was recorded starts with a copy that lacks this.
  @Test(arguments: [false, true]) func `calls back once although the copy was behind`(leadsAgain: Bool) async throws {
    let sender = AcceptingSender()
    var alpha = try await record.host("alpha", sender: sender)
    let beta = try await record.host("beta")
    try await alpha.lead()
    let requester = Presentation.Requester(app: "deploy", process: ProcessIdentity(uid: 1000, gid: 1000, pid: 4242))
    func ask(_ title: String) async throws -> PresentationID {
      let request = try PresentationRequest(
        json: ["kind": "alert", "title": .string(title), "onDismiss": ["url": "http+unix://%2Frun%2Fdeploy.sock/ended"]])
      let id = try await alpha.coordinator.ask(request, from: requester, attached: false).accepted().id
      _ = try await alpha.coordinator.change(id) {
        .change($0, Verbs.Cancel(), by: Presentation.Responder(process: requester.process))
      }
      return id
    }
    let first = try await ask("first")
    try await alpha.log.eventually("the callback is recorded") { try record.records.contains { try $0.event().isOfCallback } }
    let copied = try #require(try record.records.firstIndex { try $0.event().isOfCallback })
    await alpha.kill()

    alpha = try await record.host("alpha", copied: copied, sender: sender)
    if !leadsAgain {
      try await beta.lead()
      try await alpha.follow()
    }
    try await alpha.lead()
    // Callbacks of one socket run in order.
    let second = try await ask("second")
    #expect(await sender.next() == first)
    #expect(await sender.next() == second)
    #expect(try record.records.count { try $0.event().presentation == first && $0.event().isOfCallback } == 1)
    try await beta.follow()
    #expect(try await AuditReader(beta.log).verify().faults == [])
    await alpha.stop()
    await beta.stop()
  }

  /// Such a host has the lead while it waits for the reply to its own report.
  @Test func `records a report that its host sent before it led`() async throws {
    let (alpha, beta) = (try await record.host("alpha"), try await record.host("beta"))
    try await alpha.lead()
    try await beta.follow()
    var request = PresentationRequest.alert("Deploy?")
    request.act = act
    let presenter = TestPresenter(alpha.coordinator)
    let requester = Presentation.Requester(app: "tests", process: .current)
    let handle = beta.coordinator.ask(request, from: requester, attached: false)
    await beta.settle()
    try await alpha.decide()
    try await beta.follow()
    let id = try await handle.accepted().id
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    try await beta.follow()

    let digest = act.digest
    let reply = Mutex<Result<Void, RouterError>?>(nil)
    beta.coordinator.send {
      $0.report(ActReport(act: digest, .status(0)), of: id, by: .current) { result in reply.withLock { $0 = result } }
    }
    await beta.settle()
    try await beta.lead()
    try await beta.decide()
    try await beta.follow()
    let result = try #require(reply.withLock { $0 })
    try result.get()
    #expect(try await AuditReader(beta.log).presentation(id)?.ran?.report.result == .status(0))
    await alpha.coordinator.checkLeadership()
    await alpha.settle()
    await alpha.stop()
    await beta.stop()
  }

  /// The database has what a full disk kept from the copy.
  @Test func `follows once what it recorded as the leader and could not copy`() async throws {
    let alpha = try await record.host("alpha")
    try await alpha.lead()
    try await decide(
      [
        .input(.presenterAttached(PresenterID(1), presenter, surface: "main")), .input(.request(try gamma(1))),
        .input(.request(try gamma(2))),
      ], alpha)
    try alpha.log.withWriter { try $0.connection.execute("PRAGMA query_only = 1") }
    try await decide([.input(.change(ended, Verbs.Cancel(), by: .user(1), isAdmin: true))], alpha)
    #expect(await alpha.coordinator.presentations().map(\.id) == [open])
    await alpha.coordinator.checkLeadership()
    await alpha.settle()
    #expect(await !alpha.coordinator.isLeading)
    try alpha.log.withWriter { try $0.connection.execute("PRAGMA query_only = 0") }
    try await alpha.follow(page: 1)
    #expect(await alpha.coordinator.contradiction == nil)
    #expect(await alpha.coordinator.presentations().map(\.id) == [open])
    try await alpha.lead()
    #expect(try await AuditReader(alpha.log).verify().faults == [])
    await alpha.stop()
  }

  @Test func `tells a host that follows in small pages what became of prompts that it answered together`() async throws {
    let (alpha, beta) = (try await record.host("alpha"), try await record.host("beta"))
    try await alpha.lead()
    try await decide([.input(.presenterAttached(PresenterID(1), presenter, surface: "main"))], alpha)
    let asks = try (1...5).map { number in try gamma(number) { $0.draft.act = Act("deploy", object: "host \(number)") } }
    try await decide(asks.map { .input(.request($0)) }, alpha)
    try await decide([.input(.change(asks[4].id, Verbs.Cancel(), by: .user(1), isAdmin: true))], alpha)
    try await beta.follow()
    var extra = AnswerExtra()
    for ask in asks.dropFirst() { extra.also[ask.id] = ask.request.act?.digest }
    // Another act than the person saw.
    extra.also[asks[3].id] = act.digest
    let person = Presentation.Responder(process: ProcessIdentity(uid: 9, gid: 9, pid: 9))
    let outcome = Mutex<Result<Presentation, RouterError>?>(nil)
    beta.coordinator.send { [extra] coordinator in
      coordinator.change(asks[0].id) {
        .change($0, Verbs.Answer(.button("ok"), extra), by: person)
      } then: { result in
        outcome.withLock { $0 = result }
      }
    }
    await beta.settle()
    try await alpha.decide()
    try await beta.follow(page: 1)
    // It may be read from the log.
    let fates = try await withCheckedThrowingContinuation { continuation in
      beta.coordinator.send {
        $0.fates(of: asks.dropFirst().map(\.id), with: asks[0].id) { continuation.resume(with: $0.mapError { $0 }) }
      }
    }
    #expect(Array(fates.values) == ["answered", "answered", "changed", "resolved"])
    #expect(await beta.coordinator.presentations().map(\.id) == [asks[3].id])
    await alpha.stop()
    await beta.stop()
  }

  /// An input whose decision cannot be followed is refused, so that the next leader does not decide it again.
  @Test func `goes on after a decision that the record contradicts`() async throws {
    let (alpha, beta) = (try await record.host("alpha"), try await record.host("beta"))
    try await alpha.lead()
    try await decide([.input(.request(try gamma(1)))], alpha)
    try await decide([.input(.change(ended, Verbs.Cancel(), by: .user(1), isAdmin: true))], alpha)
    // The database keeps ids from being used twice; the state of a leader has only open ones.
    let row = record.send(.input(.request(try gamma(1))), from: "gamma")
    try await alpha.decide()
    #expect(await !alpha.coordinator.isLeading)
    guard case .refused(let problem, _) = record.inbox[row].reply else { return #expect(Bool(false), "\(record.inbox[row])") }
    #expect(problem.detail.contains("requested twice"), "\(problem)")
    try await alpha.lead()
    try await decide([.input(.request(try gamma(2)))], alpha)
    try await beta.follow()
    #expect(await beta.coordinator.presentations().map(\.id) == [open])
    #expect(try await AuditReader(beta.log).verify().faults == [])
    await alpha.stop()
    await beta.stop()
  }
}
