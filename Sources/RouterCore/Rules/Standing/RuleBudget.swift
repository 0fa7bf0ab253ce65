/// Limits the steps of ``RuleMatch`` for each user's requests to about 20 ms per second, since all users wait for them.
package struct RuleBudget: Sendable {
  private var steps = RateLimit<Owner>(burst: 20_000_000, interval: .nanoseconds(50))

  package init() {}

  /// Matches rules against a user's request, and charges the work to the user.
  ///
  /// - Parameter compare: Adds its steps to its argument.
  ///  - Throws: If the user's earlier requests have used up the limit.
  package mutating func spend<Result>(
    for owner: Owner, at now: Moment, _ compare: (inout Int) -> Result
  ) throws(PresentationRejection) -> Result {
    if steps.wait(for: owner, at: now.boot) != nil { throw .full(.rules) }
    var count = 0
    let result = compare(&count)
    steps.charge(count, to: owner, at: now.boot)
    return result
  }
}
