import Synchronization
import TestSupport
import Testing

@testable import Router

/// What a host refuses although the leader of a shared surface may not.
@Suite(.timeLimit(.minutes(10)))
struct StricterHostTests {
  /// Counts the inputs that a host sends, and keeps what it refused instead.
  private final class Link: SharedLink {
    let count = Atomic(0)
    let refusals = Mutex<[RouterError.Code]>([])

    func send(_ input: SharedInput, number: Int) { count.add(1, ordering: .relaxed) }
    func report(_ progress: PresentationProgress?, of id: PresentationID) {}
    func recorded(_ row: InboxReply) {}
    func steppedDown() {}
  }

  @Test(arguments: [SelfAnswerRule.off, .user])
  func `lets the user who asks resume their session only if this host allows it`(rule: SelfAnswerRule) async throws {
    let link = Link()
    let coordinator = try await PresentationCoordinator(
      log: .inMemory(), clock: .system, policy: .init(selfAnswer: rule),
      shared: SharedSurface(name: "main", host: "alpha", link: link))
    await coordinator.connected()
    let id = PresentationID(number: 1)
    var ask = PresentationAsk(id)
    ask.requester.process.host = "alpha"
    let by = Presentation.Responder(process: ask.requester.process)
    var leader = PresentationSurfaces()
    let now = await coordinator.now
    var events = try leader.handle(.request(ask), at: now)
    events += try leader.handle(.change(id, Verbs.PauseSession(for: .seconds(3600)), by: by), at: now)
    await coordinator.follow(events, after: 0)
    #expect(await coordinator.pauses.map(\.presentation) == [id])

    await coordinator.endPause(id, by: by) { result in
      if case .failure(let error) = result { link.refusals.withLock { $0.append(error.code) } }
    }
    #expect(link.count.load(ordering: .relaxed) == (rule == .off ? 1 : 0))
    #expect(link.refusals.withLock(\.self) == (rule == .off ? [] : [.forbidden]))
    await coordinator.disconnected()
    await coordinator.shutDown()
  }
}
