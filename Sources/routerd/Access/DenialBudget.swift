/// How many refusals go on record: all of them, unless one user is refused so often that the record would be filled with
/// it. Then one a second, which says how many it stands for.
struct DenialBudget: Sendable {
  /// How many may come at once.
  static let burst = 100

  private struct Account {
    var left = DenialBudget.burst
    var since: ContinuousClock.Instant
    var unrecorded = 0
  }

  private var accounts: [UInt32: Account] = [:]
  /// How many users to look through when they are next tidied.
  private var tidyAt = 1024

  /// Whether a refusal of a user goes on record.
  ///
  /// - Returns: How many were left out before this one; `nil` if this one is too.
  mutating func take(for uid: UInt32, at now: ContinuousClock.Instant) -> Int? {
    tidy(at: now)
    var account = accounts[uid] ?? Account(since: now)
    defer { accounts[uid] = account }
    let seconds = Int(account.since.duration(to: now).components.seconds)
    if seconds > 0 {
      account.left = min(Self.burst, account.left + seconds)
      account.since = account.since.advanced(by: .seconds(seconds))
    }
    guard account.left > 0 else {
      account.unrecorded += 1
      return nil
    }
    account.left -= 1
    defer { account.unrecorded = 0 }
    return account.unrecorded
  }

  /// Lets go of users who are not refused any more, now and then: there may be many.
  private mutating func tidy(at now: ContinuousClock.Instant) {
    guard accounts.count >= tidyAt else { return }
    accounts = accounts.filter { $0.value.unrecorded > 0 || $0.value.since.duration(to: now) < .seconds(Self.burst) }
    tidyAt = max(1024, 2 * accounts.count)
  }
}
