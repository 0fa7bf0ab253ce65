import Testing

@testable import Router

struct AttachmentBudgetTests {
  private func process(_ uid: UInt32, host: String = "") -> ProcessIdentity {
    ProcessIdentity(uid: uid, gid: uid, pid: 1, host: host)
  }

  @Test func `takes so many at once, and then as many a minute`() {
    var budget = AttachmentBudget(rule: .init(perMinute: 60))
    let start = Duration.seconds(1000)
    for _ in 0..<60 { #expect(budget.take(for: process(1), at: start) == nil) }
    #expect(budget.take(for: process(1), at: start) == .seconds(1))
    #expect(budget.take(for: process(1), at: start + .milliseconds(400)) == .milliseconds(600))
    #expect(budget.take(for: process(1), at: start + .seconds(1)) == nil)
    #expect(budget.take(for: process(1), at: start + .seconds(1)) == .seconds(1))
    for _ in 0..<60 { #expect(budget.take(for: process(1), at: start + .seconds(100)) == nil) }
    #expect(budget.take(for: process(1), at: start + .seconds(100)) != nil)
  }

  @Test func `one user takes nothing from another, and hosts have users of their own`() {
    var budget = AttachmentBudget(rule: .init(perMinute: 1))
    for process in [process(1), process(2), process(1, host: "other")] {
      #expect(budget.take(for: process, at: .zero) == nil)
      #expect(budget.take(for: process, at: .zero) == .seconds(60))
    }
  }

  @Test func `1,800 attachments in 1.6 seconds are 246`() {
    var budget = AttachmentBudget()
    let taken = (0..<1800).count { budget.take(for: process(1), at: .milliseconds($0 * 8 / 9)) == nil }
    #expect(taken == 246)
  }

  @Test func `many users do not make it forget one that has used it up`() {
    var budget = AttachmentBudget(rule: .init(perMinute: 1))
    _ = budget.take(for: process(1), at: .zero)
    for uid in 2..<5000 { _ = budget.take(for: process(UInt32(uid)), at: .seconds(30)) }
    #expect(budget.take(for: process(1), at: .seconds(30)) == .seconds(30))
  }

  @Test func `is refused as too many requests, with the time to wait`() {
    let error = RouterError(.attachedTooOften(.milliseconds(1500)))
    #expect(error.code == .full && error.retryAfter == .seconds(2))
    #expect(error.message == "cannot attach: this user's presenters attached too often; try again in 2 s")
  }
}
