import Router
import RouterTesting
import TestSupport
import Testing

/// What the leader of a shared surface does with the inputs of another host, `beta`.
/// Promises P24, P25, P26.
@Suite(.timeLimit(.minutes(10)))
struct LeadingHostTests {
  /// Keeps the replies of the leader.
  private final class Link: SharedLink {
    private let replies: AsyncStream<InboxReply>
    private let continuation: AsyncStream<InboxReply>.Continuation

    init() { (replies, continuation) = AsyncStream.makeStream() }

    func send(_ input: SharedInput, number: Int) {}
    func report(_ progress: PresentationProgress?, of id: PresentationID) {}
    func recorded(_ row: InboxReply) { continuation.yield(row) }
    func steppedDown() {}

    /// Returns the next replies, in the order in which they were recorded.
    func next(_ count: Int) async -> [InboxReply] {
      var all: [InboxReply] = []
      for await reply in replies.prefix(count) { all.append(reply) }
      return all
    }
  }

  private final class Leader: Sendable {
    let link = Link()
    let log: AuditLog
    let coordinator: PresentationCoordinator
    private let rows = Mutex<Int64>(0)

    /// Follows at first, on the host `alpha`.
    init(log: AuditLog, clock: ManualClock) async throws {
      self.log = log
      coordinator = try await PresentationCoordinator(
        log: log, clock: clock.clock, policy: .init(limitsHosts: true),
        shared: SharedSurface(name: "main", host: "alpha", link: link))
      await coordinator.connected()
    }

    func lead() async { await coordinator.takeOver(awaiting: []) }

    /// Sends inputs of beta, without waiting for replies in between. Returns the replies in the order in which they were recorded.
    @discardableResult
    func receive(_ inputs: [SharedInput]) async -> [InboxReply] {
      for input in inputs {
        let row = rows.withLock { row in
          row += 1
          return row
        }
        await coordinator.receive(input, from: "beta", row: row)
      }
      return await link.next(inputs.count)
    }

    func receive(_ input: SharedInput) async -> SharedReply? { await receive([input]).first?.reply }
  }

  private let directory: TemporaryDirectory
  private let clock = ManualClock()

  init() throws { directory = try TemporaryDirectory() }

  private func leader(on path: String = ":memory:") async throws -> Leader {
    let leader = try await Leader(log: AuditLog(path: path), clock: clock)
    await leader.lead()
    return leader
  }

  private func ask(_ number: Int, key: String? = nil, hash: UInt8 = 1, attached: Bool = false) throws -> SharedInput {
    var ask = PresentationAsk(PresentationID(number: number))
    ask.attached = attached
    if let key { ask.useKey(key, hash: hash) }
    return .input(.request(try ask.checked()))
  }

  private func presenters(_ numbers: some Sequence<Int>) -> SharedInput {
    .presenters(Dictionary(uniqueKeysWithValues: numbers.map { (PresenterID($0), PresenterIdentity($0)) }))
  }

  private func isRefused(_ reply: SharedReply?) -> Bool { if case .refused = reply { true } else { false } }

  // MARK: Keys

  /// The host that asks again may have joined only now, so that its copy does not have the key yet.
  @Test func `finds the used key of another host in the record, also after a restart`() async throws {
    let first = PresentationID(number: 1)
    let before = try await leader(on: directory.file("log.db"))
    let replies = await before.receive([
      presenters([1]), try ask(1, key: "k"), .input(.change(first, Verbs.Answer(.button("ok")), generation: 1, by: .user(2))),
    ])
    #expect(replies.map(\.reply) == [.accepted, .accepted, .accepted])
    await before.coordinator.shutDown()
    await before.log.close()

    let after = try await leader(on: directory.file("log.db"))
    #expect(try await after.receive(ask(2, key: "k")) == .ended(first))
    let other = try await after.receive(ask(3, key: "k", hash: 2))
    #expect(other == SharedReply(RouterError(.keyReused)))
    #expect(try await after.receive(ask(4, key: "new")) == .accepted)
    #expect(try await after.receive(ask(5, key: "new")) == .joined(PresentationID(number: 4)))
    #expect(await after.coordinator.presentations().map(\.id) == [PresentationID(number: 4)])
    await after.coordinator.shutDown()
  }

  @Test func `finds the used key of its request, also after other look-ups`() async throws {
    let requester = Presentation.Requester(app: "deploy", process: ProcessIdentity(uid: 1000, gid: 1000, pid: 4242))
    let (request, path) = (PresentationRequest.alert("Deploy?"), directory.file("log.db"))
    let key = try IdempotencyKey("k", of: request)
    let before = try await leader(on: path)
    let presenter = TestPresenter(before.coordinator)
    let asked = before.coordinator.ask(request, from: requester, attached: false, key: key)
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    let first = try await asked.resolved()
    await before.coordinator.shutDown()
    await before.log.close()

    let after = try await leader(on: path)
    let again = try await after.coordinator.ask(request, from: requester, attached: false, key: key).resolved()
    #expect(again.id == first.id && again.outcome == .answered(.button("yes")))
    await after.coordinator.shutDown()
  }

  @Test func `decides the inputs of a host in order while it looks up a key`() async throws {
    let first = PresentationID(number: 1)
    let before = try await leader(on: directory.file("log.db"))
    await before.receive([
      presenters([1]), try ask(1, key: "k"), .input(.change(first, Verbs.Answer(.button("ok")), generation: 1, by: .user(2))),
    ])
    await before.coordinator.shutDown()
    await before.log.close()

    let after = try await leader(on: directory.file("log.db"))
    let replies = await after.receive([
      try ask(2, key: "k"), try ask(3, attached: true), try ask(4, key: "k"), .restarted, try ask(5, attached: true),
    ])
    #expect(replies.map(\.row) == [1, 2, 3, 4, 5])
    #expect(replies.map(\.reply) == [.ended(first), .accepted, .ended(first), .accepted, .accepted])
    #expect(await after.coordinator.presentations().map(\.id) == [PresentationID(number: 5)])
    await after.coordinator.shutDown()
  }

  // MARK: Limits of a host

  @Test func `lets one row attach a bounded number of presenters, and lists fewer with a prompt`() async throws {
    let leader = try await leader()
    let head = leader.log.head.seq
    #expect(await leader.receive(presenters(1...20_000)) == .accepted)
    #expect(leader.log.head.seq - head == 256)
    let one = SharedInput.input(.presenterAttached(PresenterID(30_000), PresenterIdentity(30_000), surface: "main"))
    #expect(await leader.receive(one) == SharedReply(RouterError(.full(.presenters))))
    // Others have room.
    _ = try await leader.coordinator.attach("own", process: .current, on: "main", tell: { _ in }, end: { _ in })
    #expect(try await leader.receive(ask(1)) == .accepted)
    let shown = try await AuditReader(leader.log).events(after: head, limit: 10_000).filter { $0.kind == .presented }
    #expect(shown.count == 1)
    let names = shown[0].json["detail"]?["presenters"]?.array?.compactMap { $0["name"]?.string } ?? []
    #expect(names.count == 33 && names.last == "own", "\(names)")
    // Room is made by those that leave.
    #expect(await leader.receive(.input(.presenterDetached(PresenterID(1), surface: "main"))) == .accepted)
    #expect(await leader.receive(one) == .accepted)
    await leader.coordinator.shutDown()
  }

  @Test func `takes few rows that change all presenters, and again after a while`() async throws {
    let leader = try await leader()
    let head = leader.log.head.seq
    var refused = 0
    for round in 0..<40 {
      if isRefused(await leader.receive(presenters((1...256).map { round * 1000 + $0 }))) { refused += 1 }
    }
    #expect(refused > 20)
    #expect(leader.log.head.seq - head < 7000)
    clock.advance(by: .seconds(60))
    #expect(await leader.receive(presenters([])) == .accepted)
    await leader.coordinator.shutDown()
  }

  @Test func `applies the limit on attachments to each user of another host`() async throws {
    let leader = try await leader()
    var refused = 0
    for number in 1...300 {
      let identity = PresenterIdentity(number)
      let replies = await leader.receive([
        .input(.presenterAttached(PresenterID(number), identity, surface: "main")),
        .input(.presenterDetached(PresenterID(number), surface: "main")),
      ])
      if isRefused(replies[0].reply) { refused += 1 }
    }
    #expect(refused == 60)
    await leader.coordinator.shutDown()
  }

  @Test func `lets no host pause and resume many prompts without end`() async throws {
    let leader = try await leader()
    await leader.receive(try (1...200).map { try ask($0) })
    let (head, first) = (leader.log.head.seq, PresentationID(number: 1))
    var refused = 0
    for _ in 1...50 {
      let replies = await leader.receive([
        .input(.change(first, Verbs.PauseSession(for: .seconds(60)), by: .user(2))), .input(.endPause(first, by: .user(2))),
      ])
      refused += replies.count { isRefused($0.reply) }
    }
    #expect(refused > 50)
    #expect(leader.log.head.seq - head < 7000)
    // What it asks and takes back still counts.
    #expect(await leader.receive(.input(.change(first, Verbs.Cancel(), by: .user(1)))) == .accepted)
    #expect(try await leader.receive(ask(1000)) == .accepted)
    await leader.coordinator.shutDown()
  }

  @Test func `keeps no process of a host that is larger than any`() async throws {
    let leader = try await leader()
    var identity = PresenterIdentity(1)
    identity.process = ProcessIdentity(uid: 1, gid: 1, pid: 1, executable: String(repeating: "x", count: 100_000))
    #expect(await leader.receive(.presenters([PresenterID(1): identity])) == .notOpen)
    let by = Presentation.Responder(process: identity.process)
    #expect(try await leader.receive(ask(1)) == .accepted)
    #expect(await leader.receive(.input(.change(PresentationID(number: 1), Verbs.Raise(), by: by))) == .notOpen)
    await leader.coordinator.shutDown()
  }

  // MARK: Clocks

  private static let skews = [-12 * 3600, -3600, 0, 3600, 12 * 3600]

  /// It follows an event half an hour after it was recorded, while its clock is wrong, and leads once that is right.
  @Test(arguments: skews) func `takes deadlines from the recorded times when it takes the lead`(skew: Int) async throws {
    var other = PresentationSurfaces()
    let start = Moment(boot: clock.clock.now(), wall: clock.wall)
    var ask = PresentationAsk(PresentationID(number: 1))
    ask.attached = false
    ask.draft.timeout = .seconds(3600)
    let events = try other.handle(.request(try ask.checked()), at: start)

    let leader = try await Leader(log: .inMemory(), clock: clock)
    clock.advance(by: .seconds(1800))
    clock.setWall(clock.wall.advanced(by: .seconds(skew)))
    await leader.coordinator.follow(events, after: 0)
    clock.setWall(clock.wall.advanced(by: .seconds(-skew)))
    await leader.lead()
    #expect(await leader.coordinator.timeLeft(of: ask.id) == .seconds(1800))
    #expect(await leader.coordinator.presentations().map(\.id) == [ask.id])
  }
}
