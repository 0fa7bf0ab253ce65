import Testing

@testable import routerd

struct DenialBudgetTests {
  private let start = Duration.seconds(1000)

  @Test func `records each refusal up to a burst, then one per second`() {
    var budget = DenialBudget()
    for _ in 0..<DenialBudget.burst { #expect(budget.take(for: 1, at: start) == 0) }
    for _ in 0..<7 { #expect(budget.take(for: 1, at: start) == nil) }
    #expect(budget.take(for: 2, at: start) == 0)
    // From then on one per second, with the number of unrecorded ones.
    #expect(budget.take(for: 1, at: start + .seconds(1)) == 7)
    #expect(budget.take(for: 1, at: start + .milliseconds(1500)) == nil)
    #expect(budget.take(for: 1, at: start + .seconds(2)) == 1)
  }

  @Test func `refills over time up to the burst`() {
    var budget = DenialBudget()
    for _ in 0...DenialBudget.burst { _ = budget.take(for: 1, at: start) }
    let later = start + .seconds(100_000)
    #expect(budget.take(for: 1, at: later) == 1)
    for _ in 1..<DenialBudget.burst { #expect(budget.take(for: 1, at: later) == 0) }
    #expect(budget.take(for: 1, at: later) == nil)
  }

  @Test func `remembers unrecorded refusals among many users`() {
    var budget = DenialBudget()
    for _ in 0..<DenialBudget.burst + 3 { _ = budget.take(for: 1, at: start) }
    for uid in 2..<5000 { #expect(budget.take(for: UInt32(uid), at: start + .seconds(500)) == 0) }
    #expect(budget.take(for: 1, at: start + .seconds(500)) == 3)
  }
}
