import Dispatch
import NIOCore
import NIOEmbedded
import Router
import Testing

@testable import routerd

/// The cache of user names, with a name service that replies when the test says so.
@Suite(.timeLimit(.minutes(10)))
struct UserNamesTests {
  /// A name service whose lookups wait for replies.
  private final class Service: Sendable {
    private let asked: AsyncStream<UInt32>.Continuation
    let questions: AsyncStream<UInt32>
    private let replies = Mutex<[String?]>([])
    private let isReady = DispatchSemaphore(value: 0)
    let time = Mutex(Duration.zero)

    init() { (questions, asked) = AsyncStream<UInt32>.makeStream() }

    func lookUp(_ uid: UInt32) -> String? {
      asked.yield(uid)
      isReady.wait()
      return replies.withLock { $0.removeFirst() }
    }

    func reply(_ name: String?) {
      replies.withLock { $0.append(name) }
      isReady.signal()
    }

    func question() async -> UInt32? {
      for await uid in questions { return uid }
      return nil
    }
  }

  private let service = Service()
  private let names: UserNames
  private let loop = NIOAsyncTestingEventLoop()

  init() throws {
    names = try UserNames(now: { [service] in service.time.withLock(\.self) }, lookUp: service.lookUp)
  }

  /// Waits until all lookups that were started are done.
  private func settle() async throws { try await names.run {} }

  @Test func `returns the number's name once it is looked up, and looks up again after its age`() async throws {
    #expect(names.name(of: 7) == nil)
    #expect(names.name(of: 7) == nil)
    #expect(await service.question() == 7)
    service.reply("ann")
    try await settle()
    #expect(names.name(of: 7) == "ann")
    service.time.withLock { $0 = UserNames.age }
    // The old name is used until the new one is known.
    #expect(names.name(of: 7) == "ann")
    #expect(await service.question() == 7)
    service.reply("anne")
    try await settle()
    #expect(names.name(of: 7) == "anne")
  }

  @Test func `waits for a name no longer than its patience`() async throws {
    let late = names.find(8, on: loop)
    #expect(await service.question() == 8)
    await loop.advanceTime(by: UserNames.patience)
    #expect(try await late.get() == nil)
    service.reply("bob")
    try await settle()
    #expect(try await names.find(8, on: loop).get() == "bob")
  }

  @Test func `knows that a user has no name`() async throws {
    names.name(of: 9)
    service.reply(nil)
    try await settle()
    #expect(try await names.find(9, on: loop).get() == nil)
  }

  @Test func `keeps a limited number of users, and those being looked up`() async throws {
    let count = UserNames.maximumCount
    for uid in 0..<UInt32(count + 10) { names.name(of: uid) }
    #expect(names.count == count)
    for _ in 0..<count { service.reply("x") }
    try await settle()
    names.name(of: 5000)
    #expect(names.count == count)
    service.reply("new")
    try await settle()
    #expect(names.name(of: 5000) == "new")
  }

  @Test func `stops waiting for a lookup when its task is canceled`() async throws {
    names.name(of: 10)
    #expect(await service.question() == 10)
    let waiting = Task { try await names.run {} }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    service.reply(nil)
  }
}
