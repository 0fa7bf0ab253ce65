/// Limits how often a user's presenters may attach: each attachment puts two events on record, and may show a prompt again.
///
/// A user may attach ``Rule/perMinute`` times at once, and then as often each minute.
package struct AttachmentBudget: Sendable {
  /// The figures of the rule.
  package struct Rule: Sendable, Hashable {
    /// How many attachments a user may make in a minute.
    package var perMinute: Int

    package init(perMinute: Int = 240) {
      self.perMinute = perMinute
    }

    /// How long one attachment takes to be given back.
    var interval: Duration { .seconds(60) / max(1, perMinute) }
  }

  let rule: Rule
  /// When each user has all attachments again. It is up to a minute ahead.
  private var restored: [Owner: Duration] = [:]
  /// How many users to look through when they are next tidied.
  private var tidyAt = 1024

  init(rule: Rule = Rule()) {
    self.rule = rule
  }

  /// Takes one attachment.
  ///
  /// - Returns: `nil` if the user may attach, else how long to wait before the next try. Then nothing is taken.
  mutating func take(for process: ProcessIdentity, at now: Duration) -> Duration? {
    if restored.count >= tidyAt {
      restored = restored.filter { $0.value > now }
      tidyAt = max(1024, 2 * restored.count)
    }
    let full = max(restored[process.owner] ?? now, now) + rule.interval
    let wait = full - now - rule.interval * rule.perMinute
    guard wait <= .zero else { return wait }
    restored[process.owner] = full
    return nil
  }
}
