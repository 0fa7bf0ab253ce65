import NIOCore
import NIOEmbedded
import Testing

@testable import routerd

struct ConnectionTurnsTests {
  private let turns = ConnectionTurns()
  private let loop = EmbeddedEventLoop()

  private func take(_ uid: UInt32, _ work: @escaping @Sendable () throws -> Void) -> EventLoopFuture<Void> {
    turns.take(EmbeddedChannel(loop: loop), of: uid, work)
  }

  @Test func `sets up a user's connection after one of each user before, and a few in a turn of the loop`() throws {
    var order: [UInt32] = []
    var done = 0
    for uid: UInt32 in [1, 1, 1, 1, 1, 1, 2, 3, 2] {
      take(uid) {}.assumeIsolated().whenSuccess {
        order.append(uid)
        done += 1
      }
    }
    #expect(order == [])
    loop.run()
    #expect(order == [1, 2, 3, 1])
    loop.run()
    #expect(done == 4)
    loop.advanceTime(by: .microseconds(500))
    #expect(order == [1, 2, 3, 1, 2, 1, 1, 1])
    loop.advanceTime(by: .milliseconds(1))
    #expect(order.last == 1 && done == 9)
  }

  @Test func `fails with the error of the setup, and goes on`() throws {
    struct Failure: Error {}
    let failed = take(1) { throw Failure() }
    let next = take(1) {}
    loop.run()
    #expect(throws: Failure.self) { try failed.wait() }
    try next.wait()
  }
}
