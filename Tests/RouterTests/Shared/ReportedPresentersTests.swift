import Router
import Testing

/// What a host reports to a new leader while the leader may not have replied to what it has sent before.
@Suite(.timeLimit(.minutes(10)))
struct ReportedPresentersTests {
  /// Keeps the inputs that a host sends.
  private final class Link: SharedLink {
    let inputs = Mutex<[SharedInput]>([])

    func send(_ input: SharedInput, number: Int) { inputs.withLock { $0.append(input) } }
    func report(_ progress: PresentationProgress?, of id: PresentationID) {}
    func recorded(_ row: InboxReply) {}
    func steppedDown() {}

    /// The presenters in the last input.
    var reported: Set<PresenterID>? {
      guard case .presenters(let presenters) = inputs.withLock(\.last) else { return nil }
      return Set(presenters.keys)
    }
  }

  /// The leader takes a report as all presenters of the host, so one that leaves out a presenter detaches it for good.
  @Test func `reports presenters as they are after all that was sent`() async throws {
    let link = Link()
    let coordinator = try await PresentationCoordinator(
      log: .inMemory(), clock: .system, shared: SharedSurface(name: "kitchen", host: "alpha", link: link))
    await coordinator.connected()

    let id = try await coordinator.attach("test", process: .current, on: "kitchen", tell: { _ in }, end: { _ in })
    await coordinator.announcePresenters()
    #expect(link.reported == [id], "its attachment is on its way")

    await coordinator.replied(to: 1, .accepted)
    await coordinator.announcePresenters()
    #expect(link.reported == [id], "it is attached")

    await coordinator.leave(id)
    await coordinator.announcePresenters()
    #expect(link.reported == [], "its detachment is on its way")

    await coordinator.replied(to: 4, .accepted)
    await coordinator.announcePresenters()
    #expect(link.reported == [], "it is detached")
    await coordinator.disconnected()
    await coordinator.shutDown()
  }

  @Test func `leaves out a presenter that the leader refused`() async throws {
    let link = Link()
    let coordinator = try await PresentationCoordinator(
      log: .inMemory(), clock: .system, shared: SharedSurface(name: "kitchen", host: "alpha", link: link))
    await coordinator.connected()
    _ = try await coordinator.attach("test", process: .current, on: "kitchen", tell: { _ in }, end: { _ in })
    await coordinator.replied(to: 1, .notOpen)
    await coordinator.announcePresenters()
    #expect(link.reported == [])
    await coordinator.disconnected()
    await coordinator.shutDown()
  }
}
