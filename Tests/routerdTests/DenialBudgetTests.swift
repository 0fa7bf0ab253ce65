import Testing

@testable import routerd

struct DenialBudgetTests {
  private let start = Duration.seconds(1000)

  @Test func `each refusal goes on record, until they are too many`() {
    var budget = DenialBudget()
    for _ in 0..<DenialBudget.burst { #expect(budget.take(for: 1, at: start) == 0) }
    for _ in 0..<7 { #expect(budget.take(for: 1, at: start) == nil) }
    #expect(budget.take(for: 2, at: start) == 0)
    // One a second from then on, which says for how many it stands.
    #expect(budget.take(for: 1, at: start + .seconds(1)) == 7)
    #expect(budget.take(for: 1, at: start + .milliseconds(1500)) == nil)
    #expect(budget.take(for: 1, at: start + .seconds(2)) == 1)
  }

  @Test func `a pause makes good for it, up to what it was`() {
    var budget = DenialBudget()
    for _ in 0...DenialBudget.burst { _ = budget.take(for: 1, at: start) }
    let later = start + .seconds(100_000)
    #expect(budget.take(for: 1, at: later) == 1)
    for _ in 1..<DenialBudget.burst { #expect(budget.take(for: 1, at: later) == 0) }
    #expect(budget.take(for: 1, at: later) == nil)
  }

  @Test func `many users do not make it forget what was left out`() {
    var budget = DenialBudget()
    for _ in 0..<DenialBudget.burst + 3 { _ = budget.take(for: 1, at: start) }
    for uid in 2..<5000 { #expect(budget.take(for: UInt32(uid), at: start + .seconds(500)) == 0) }
    #expect(budget.take(for: 1, at: start + .seconds(500)) == 3)
  }
}
