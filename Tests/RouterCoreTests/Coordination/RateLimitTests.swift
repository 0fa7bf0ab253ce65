import RouterCore
import Testing

// Promise P39.
struct RateLimitTests {
  private func user(_ uid: UInt32, host: String = "") -> Owner { Owner(host: host, uid: uid) }

  @Test func `allows a burst, then a steady rate per minute`() {
    var limit = RateLimit<Owner>(perMinute: 60)
    let start = Duration.seconds(1000)
    for _ in 0..<60 { #expect(limit.take(for: user(1), at: start) == nil) }
    #expect(limit.take(for: user(1), at: start) == .seconds(1))
    #expect(limit.take(for: user(1), at: start + .milliseconds(400)) == .milliseconds(600))
    #expect(limit.take(for: user(1), at: start + .seconds(1)) == nil)
    #expect(limit.take(for: user(1), at: start + .seconds(1)) == .seconds(1))
    for _ in 0..<60 { #expect(limit.take(for: user(1), at: start + .seconds(100)) == nil) }
    #expect(limit.take(for: user(1), at: start + .seconds(100)) != nil)
  }

  @Test func `limits each user of each host separately`() {
    var limit = RateLimit<Owner>(perMinute: 1)
    for user in [user(1), user(2), user(1, host: "other")] {
      #expect(limit.take(for: user, at: .zero) == nil)
      #expect(limit.take(for: user, at: .zero) == .seconds(60))
    }
  }

  @Test func `allows 246 of 1,800 attachments in 1.6 seconds`() {
    var limit = RateLimit<Owner>(perMinute: 240)
    let taken = (0..<1800).count { limit.take(for: user(1), at: .milliseconds($0 * 8 / 9)) == nil }
    #expect(taken == 246)
  }

  @Test func `remembers an exhausted user among many others`() {
    var limit = RateLimit<Owner>(perMinute: 1)
    _ = limit.take(for: user(1), at: .zero)
    for uid in 2..<5000 { _ = limit.take(for: user(UInt32(uid)), at: .seconds(30)) }
    #expect(limit.take(for: user(1), at: .seconds(30)) == .seconds(30))
  }

  @Test func `reports the limit as too many requests with the time to wait`() {
    let error = RouterError(.attachedTooOften(.milliseconds(1500)))
    #expect(error.code == .full && error.retryAfter == .seconds(2))
    #expect(error.message == "cannot attach or raise: this user did so too often; try again in 2 s")
  }
}
