import Router
import Testing

@testable import RouterClient

/// What is made again, and when, without a socket.
struct ReconnectionTests {
  private static let notThere = Reconnection.Failure.notThere(RouterError(.unreachable, "cannot reach it"))
  private static let lost = Reconnection.Failure.lost(RouterError(.unreachable, "cannot hear from it"))
  private static let shuttingDown = Reconnection.Failure.refused(RouterError(.shuttingDown, "cannot take requests"))
  private static let diskFull = Reconnection.Failure.refused(
    RouterError(.logUnavailable, "cannot write", retryAfter: .seconds(1)))

  private func rules(_ policy: ReconnectPolicy = ReconnectPolicy(), isRepeatable: Bool = true) -> Reconnection {
    Reconnection(policy, socketPath: "/run/d.sock", isRepeatable: isRepeatable)
  }

  private func pause(_ step: Reconnection.Step) -> Duration? {
    if case .again(let pause) = step { pause } else { nil }
  }

  private func error(_ step: Reconnection.Step) -> RouterError? {
    if case .giveUp(let error) = step { error } else { nil }
  }

  @Test func `no daemon to begin with is an error at once, unless it is to be waited for`() {
    var rules = rules()
    #expect(error(rules.failed(Self.notThere, at: .zero, jitter: 1))?.message == "cannot reach it")
    var waiting = self.rules(ReconnectPolicy(waitsForDaemon: true))
    #expect(pause(waiting.failed(Self.notThere, at: .zero, jitter: 1)) == .milliseconds(50))
  }

  @Test func `a daemon that was there once is looked for again`() {
    var rules = rules()
    #expect(pause(rules.failed(Self.lost, at: .zero, jitter: 1)) == .milliseconds(50))
    #expect(rules.mayHaveBeenHeard)
    #expect(pause(rules.failed(Self.notThere, at: .milliseconds(50), jitter: 1)) == .milliseconds(100))
  }

  @Test func `one that is shutting down has heard nothing, so that anything may be brought again`() {
    var rules = rules(isRepeatable: false)
    #expect(pause(rules.failed(Self.shuttingDown, at: .zero, jitter: 1)) == .milliseconds(50))
    #expect(pause(rules.failed(Self.notThere, at: .seconds(1), jitter: 1)) == .milliseconds(100))
    #expect(!rules.mayHaveBeenHeard)
  }

  @Test func `what may not be made twice ends with its connection`() {
    var rules = rules(isRepeatable: false)
    #expect(error(rules.failed(Self.lost, arrival: .zero, at: .seconds(5), jitter: 1))?.message == "cannot hear from it")
  }

  @Test func `the pauses double up to the longest, and chance takes up to half of each`() {
    var (long, short) = (rules(), rules())
    var (longest, shortest): ([Duration], [Duration]) = ([], [])
    for second in 0..<8 {
      longest += [pause(long.failed(Self.lost, at: .seconds(second), jitter: 1))].compactMap { $0 }
      shortest += [pause(short.failed(Self.lost, at: .seconds(second), jitter: 0))].compactMap { $0 }
    }
    #expect(longest == [50, 100, 200, 400, 800, 1600, 2000, 2000].map { .milliseconds($0) })
    #expect(shortest == longest.map { $0 / 2 })
  }

  @Test func `the last look is when patience ends, and then the error says how long it was`() {
    var rules = rules(ReconnectPolicy(patience: .seconds(3)))
    #expect(pause(rules.failed(Self.lost, at: .seconds(10), jitter: 1)) != nil)
    #expect(pause(rules.failed(Self.notThere, at: .milliseconds(12_990), jitter: 1)) == .milliseconds(10))
    let given = error(rules.failed(Self.notThere, at: .seconds(13), jitter: 1))
    #expect(given?.code == .unreachable)
    #expect(given?.message == "cannot go on without routerd at /run/d.sock: it was away for more than 3.0 seconds")
  }

  @Test func `without an end to its patience it never gives up`() {
    var rules = rules(ReconnectPolicy(patience: nil))
    for hour in 0..<10_000 {
      #expect(pause(rules.failed(Self.lost, at: .seconds(3600 * hour), jitter: 0.5)) != nil)
    }
  }

  @Test func `patience begins anew when the daemon has taken it`() {
    var rules = rules(ReconnectPolicy(patience: .seconds(3)))
    _ = rules.failed(Self.lost, at: .zero, jitter: 1)
    #expect(pause(rules.failed(Self.lost, arrival: .seconds(1), at: .seconds(60), jitter: 1)) == .milliseconds(50))
    #expect(pause(rules.failed(Self.notThere, at: .milliseconds(62_900), jitter: 1)) == .milliseconds(100))
  }

  @Test func `a daemon that takes it and goes away at once is not asked more often for that`() {
    var rules = rules()
    var pauses: [Duration] = []
    for second in 0..<8 {
      let now = Duration.seconds(3 * second)
      pauses += [pause(rules.failed(Self.lost, arrival: now - .milliseconds(1), at: now, jitter: 1))].compactMap { $0 }
    }
    #expect(pauses.last == .seconds(2))
    #expect(pauses.count == 8)
  }

  @Test(arguments: RouterError.Code.allCases.filter { $0 != .shuttingDown && $0 != .logUnavailable })
  func `what the daemon refuses is refused`(code: RouterError.Code) {
    var rules = rules()
    _ = rules.failed(Self.lost, arrival: .zero, at: .seconds(1), jitter: 1)
    let no = Reconnection.Failure.refused(RouterError(code, "cannot", retryAfter: .seconds(1)))
    #expect(error(rules.failed(no, at: .seconds(2), jitter: 1))?.code == code)
  }

  @Test func `a log that cannot be written refuses what is new, and keeps waiting what may be on record`() {
    var fresh = rules()
    #expect(error(fresh.failed(Self.diskFull, at: .zero, jitter: 1))?.code == .logUnavailable)
    var known = rules(ReconnectPolicy(patience: .seconds(3)))
    _ = known.failed(Self.lost, at: .zero, jitter: 1)
    #expect(pause(known.failed(Self.diskFull, at: .zero, jitter: 1)) == .seconds(1))
    #expect(error(known.failed(Self.diskFull, at: .seconds(3), jitter: 1))?.code == .logUnavailable)
  }

  @Test func `never is never`() {
    for failure in [Self.notThere, Self.lost, Self.shuttingDown, Self.diskFull] {
      var rules = rules(.never)
      #expect(error(rules.failed(failure, arrival: .zero, at: .zero, jitter: 1))?.message == failure.error.message)
    }
  }
}
