import Router
import Testing

@testable import RouterClient

/// Retry decisions, tested without a socket.
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

  @Test func `fails at once without a daemon unless the policy waits for one`() {
    var rules = rules()
    #expect(error(rules.failed(Self.notThere, at: .zero, jitter: 1))?.message == "cannot reach it")
    var waiting = self.rules(ReconnectPolicy(waitsForDaemon: true))
    #expect(pause(waiting.failed(Self.notThere, at: .zero, jitter: 1)) == .milliseconds(50))
  }

  @Test func `retries after losing a connected daemon`() {
    var rules = rules()
    #expect(pause(rules.failed(Self.lost, at: .zero, jitter: 1)) == .milliseconds(50))
    #expect(rules.mayHaveBeenHeard)
    #expect(pause(rules.failed(Self.notThere, at: .milliseconds(50), jitter: 1)) == .milliseconds(100))
  }

  @Test func `retries any request after a shutdown refusal, because the daemon did not process it`() {
    var rules = rules(isRepeatable: false)
    #expect(pause(rules.failed(Self.shuttingDown, at: .zero, jitter: 1)) == .milliseconds(50))
    #expect(pause(rules.failed(Self.notThere, at: .seconds(1), jitter: 1)) == .milliseconds(100))
    #expect(!rules.mayHaveBeenHeard)
  }

  @Test func `does not retry a request that is not repeatable`() {
    var rules = rules(isRepeatable: false)
    #expect(error(rules.failed(Self.lost, arrival: .zero, at: .seconds(5), jitter: 1))?.message == "cannot hear from it")
  }

  @Test func `doubles the delays up to a maximum, with jitter of up to half`() {
    var (long, short) = (rules(), rules())
    var (longest, shortest): ([Duration], [Duration]) = ([], [])
    for second in 0..<8 {
      longest += [pause(long.failed(Self.lost, at: .seconds(second), jitter: 1))].compactMap { $0 }
      shortest += [pause(short.failed(Self.lost, at: .seconds(second), jitter: 0))].compactMap { $0 }
    }
    #expect(longest == [50, 100, 200, 400, 800, 1600, 2000, 2000].map { .milliseconds($0) })
    #expect(shortest == longest.map { $0 / 2 })
  }

  @Test func `makes the last attempt when its patience ends, and reports the duration`() {
    var rules = rules(ReconnectPolicy(patience: .seconds(3)))
    #expect(pause(rules.failed(Self.lost, at: .seconds(10), jitter: 1)) != nil)
    #expect(pause(rules.failed(Self.notThere, at: .milliseconds(12_990), jitter: 1)) == .milliseconds(10))
    let given = error(rules.failed(Self.notThere, at: .seconds(13), jitter: 1))
    #expect(given?.code == .unreachable)
    #expect(given?.message == "routerd at /run/d.sock has been unreachable for more than 3.0 seconds")
  }

  @Test func `never gives up with unlimited patience`() {
    var rules = rules(ReconnectPolicy(patience: nil))
    for hour in 0..<10_000 {
      #expect(pause(rules.failed(Self.lost, at: .seconds(3600 * hour), jitter: 0.5)) != nil)
    }
  }

  @Test func `restarts its patience once the daemon accepts`() {
    var rules = rules(ReconnectPolicy(patience: .seconds(3)))
    _ = rules.failed(Self.lost, at: .zero, jitter: 1)
    #expect(pause(rules.failed(Self.lost, arrival: .seconds(1), at: .seconds(60), jitter: 1)) == .milliseconds(50))
    #expect(pause(rules.failed(Self.notThere, at: .milliseconds(62_900), jitter: 1)) == .milliseconds(100))
  }

  @Test func `keeps backing off if the daemon accepts and then disconnects at once`() {
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
  func `does not retry refused requests`(code: RouterError.Code) {
    var rules = rules()
    _ = rules.failed(Self.lost, arrival: .zero, at: .seconds(1), jitter: 1)
    let no = Reconnection.Failure.refused(RouterError(code, "cannot", retryAfter: .seconds(1)))
    #expect(error(rules.failed(no, at: .seconds(2), jitter: 1))?.code == code)
  }

  @Test func `rejects a new request if the log cannot be written, and retries one that may be recorded`() {
    var fresh = rules()
    #expect(error(fresh.failed(Self.diskFull, at: .zero, jitter: 1))?.code == .logUnavailable)
    var known = rules(ReconnectPolicy(patience: .seconds(3)))
    _ = known.failed(Self.lost, at: .zero, jitter: 1)
    #expect(pause(known.failed(Self.diskFull, at: .zero, jitter: 1)) == .seconds(1))
    #expect(error(known.failed(Self.diskFull, at: .seconds(3), jitter: 1))?.code == .logUnavailable)
  }

  @Test func `never retries with the never policy`() {
    for failure in [Self.notThere, Self.lost, Self.shuttingDown, Self.diskFull] {
      var rules = rules(.never)
      #expect(error(rules.failed(failure, arrival: .zero, at: .zero, jitter: 1))?.message == failure.error.message)
    }
  }
}
