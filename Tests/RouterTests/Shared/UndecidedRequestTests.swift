import Router
import RouterCore
import RouterLog
import RouterTesting
import TestSupport
import Testing

/// A request in the inbox of a shared surface, whose host takes over the lead and loses it.
/// Promise P11.
@Suite(.timeLimit(.minutes(2)))
struct UndecidedRequestTests {
  private final class Link: SharedLink {
    private let requests: AsyncStream<(SharedInput, Int)>
    private let continuation: AsyncStream<(SharedInput, Int)>.Continuation

    init() { (requests, continuation) = AsyncStream.makeStream() }

    func send(_ input: SharedInput, number: Int) {
      if case .input(.request) = input { continuation.yield((input, number)) }
    }
    func nextRequest() async -> (SharedInput, number: Int)? { await requests.first { _ in true } }
    func report(_ progress: PresentationProgress?, of id: PresentationID) {}
    func recorded(_ row: InboxReply) {}
    func steppedDown() {}
  }

  private final class Record: PrimaryLog {
    let isLost = Mutex(false)

    func commit(_ records: [AuditRecord], replies: [InboxReply], after previous: AuditHead) throws {
      if isLost.withLock(\.self) { throw RouterError(.logUnavailable, "another host leads") }
    }
    func remove(through seq: Int64) throws {}
  }

  /// The next leader finds it in the inbox, so it must not be refused here.
  @Test func `awaits the next leader's reply after a failed commit`() async throws {
    let (link, record) = (Link(), Record())
    let log = try AuditLog(path: ":memory:", clock: .system, primary: record)
    let coordinator = try await PresentationCoordinator(
      log: log, clock: .system, policy: .init(limitsHosts: true), shared: SharedSurface(name: "main", host: "alpha", link: link)
    )
    await coordinator.connected()
    let requester = Presentation.Requester(app: "deploy", process: .current)
    let asked = coordinator.ask(.alert("Deploy?"), from: requester, attached: true)
    let (input, number) = try #require(await link.nextRequest())
    await coordinator.takeOver(awaiting: [])
    record.isLost.withLock { $0 = true }
    await coordinator.receive(input, from: "alpha", row: 1)
    #expect(await !coordinator.isLeading)
    let reply = RouterError(.full, "too many requests")
    await coordinator.replied(to: number, SharedReply(reply))
    let error = await #expect(throws: RouterError.self) { try await asked.resolved() }
    #expect(error?.code == .full)
    await coordinator.giveUp()
  }
}
