import Testing

@testable import Router

@Suite struct DismissalBackoffTests {
  private var backoff = DismissalBackoff(rule: DismissalBackoff.Rule())
  private let asker = DismissalBackoff.Asker(uid: 7, app: "agent")

  /// Three refusals in a row, a second apart.
  private mutating func pause(from start: Duration) -> Duration? {
    _ = backoff.refused(asker, at: start)
    _ = backoff.refused(asker, at: start + .seconds(1))
    return backoff.refused(asker, at: start + .seconds(2))
  }

  @Test mutating func `the third refusal in a row within a minute is one too many`() {
    #expect(backoff.refused(asker, at: .zero) == nil)
    #expect(backoff.refused(asker, at: .seconds(30)) == nil)
    #expect(backoff.remaining(for: asker, at: .seconds(30)) == nil)
    #expect(backoff.refused(asker, at: .seconds(60)) == .seconds(10))
    #expect(backoff.remaining(for: asker, at: .seconds(61)) == .seconds(9))
    #expect(backoff.remaining(for: asker, at: .seconds(70)) == nil)
  }

  @Test mutating func `three refusals over more than a minute are not too many`() {
    #expect(backoff.refused(asker, at: .zero) == nil)
    #expect(backoff.refused(asker, at: .seconds(30)) == nil)
    #expect(backoff.refused(asker, at: .milliseconds(60_001)) == nil)
    #expect(backoff.refused(asker, at: .milliseconds(60_002)) == .seconds(10))
  }

  @Test mutating func `an answer in between resets the count, and the pauses`() {
    #expect(pause(from: .zero) == .seconds(10))
    backoff.answered(asker)
    #expect(backoff.remaining(for: asker, at: .seconds(3)) == nil)
    #expect(backoff.refused(asker, at: .seconds(3)) == nil)
    #expect(backoff.refused(asker, at: .seconds(4)) == nil)
    #expect(backoff.refused(asker, at: .seconds(5)) == .seconds(10))
  }

  @Test mutating func `after a pause one more refusal doubles it, up to ten minutes`() {
    var now = Duration.seconds(2)
    var pauses = [pause(from: .zero)]
    for _ in 1...8 {
      now += pauses.last!! + .seconds(1)
      pauses.append(backoff.refused(asker, at: now))
    }
    #expect(pauses == [10, 20, 40, 80, 160, 320, 600, 600, 600].map { .seconds($0) })
  }

  @Test mutating func `what was asked before the pause may be refused in it`() {
    #expect(pause(from: .zero) == .seconds(10))
    #expect(backoff.refused(asker, at: .seconds(5)) == nil)
    #expect(backoff.remaining(for: asker, at: .seconds(5)) == .seconds(7))
  }

  @Test mutating func `after ten minutes without a refusal all is forgotten`() {
    #expect(pause(from: .zero) == .seconds(10))
    #expect(backoff.refused(asker, at: .seconds(612)) == .seconds(20))
    #expect(backoff.refused(asker, at: .seconds(1233)) == nil)
  }

  @Test mutating func `another program and another user are not held responsible`() {
    #expect(pause(from: .zero) == .seconds(10))
    #expect(backoff.remaining(for: DismissalBackoff.Asker(uid: 7, app: "deploy"), at: .seconds(3)) == nil)
    #expect(backoff.remaining(for: DismissalBackoff.Asker(uid: 8, app: "agent"), at: .seconds(3)) == nil)
  }
}
