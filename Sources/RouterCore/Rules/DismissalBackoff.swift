import OrderedCollections

/// The backoff rule against prompt bombing, without I/O, clock or tasks.
///
/// Refuses requests of a user and app for a while after several dismissals in a row, or after many requests that follow a "no"
/// (an answer with the cancel button). A "no" alone is never penalized. Each delay is twice as long as the previous one. Any
/// other answer resets the rule, as does a long time without a refusal.
package struct DismissalBackoff: Sendable {
  /// The limits of the rule.
  package struct Rule: Sendable, Hashable {
    /// The number of dismissals in a row that starts a delay.
    package var dismissals: Int
    /// The number of requests allowed after a "no"; one more starts a delay.
    package var requests: Int
    /// The time window for counting both.
    package var window: Duration
    /// The length of the first delay; it doubles with each further delay.
    package var firstDelay: Duration
    /// The maximum length of a delay. The rule is reset after the same time without a refusal.
    package var longestDelay: Duration

    package init(
      dismissals: Int = 3, requests: Int = 10, window: Duration = .seconds(60), firstDelay: Duration = .seconds(10),
      longestDelay: Duration = .seconds(600)
    ) {
      self.dismissals = dismissals
      self.requests = requests
      self.window = window
      self.firstDelay = firstDelay
      self.longestDelay = longestDelay
    }
  }

  /// The party that the rule applies to: the user reported by the kernel, the app, and its agent session or terminal.
  package struct Asker: Sendable, Hashable {
    let owner: Owner
    let app: String
    var place: String?
  }

  /// The remaining time of a delay, and its cause.
  package struct Delay: Sendable, Hashable {
    package enum Cause: Sendable, Hashable {
      /// The number of dismissals since the last answer.
      case dismissals(Int)
      /// The number of requests since a "no".
      case requests(Int)
    }

    package var remaining: Duration
    package var cause: Cause

    package init(_ remaining: Duration, _ cause: Cause) { (self.remaining, self.cause) = (remaining, cause) }
  }

  private struct Record {
    /// The times of dismissals since the last delay or answer.
    var dismissals: [Duration] = []
    /// The number of dismissals since the last answer.
    var closed = 0
    /// Whether a person answered "no" since then.
    var isDeclined = false
    /// The times of requests after that "no".
    var requests: [Duration] = []
    /// The number of consecutive delays.
    var delays = 0
    var delayedUntil: Duration?
    var cause = Delay.Cause.dismissals(0)
    var lastRefusal: Duration = .zero
  }

  let rule: Rule
  private var records: [Asker: Record] = [:]
  /// The number of records at which to drop expired ones.
  private var tidyAt = 1024

  package init(rule: Rule) { self.rule = rule }

  /// Returns the remaining time of an asker's delay; `nil` if it is not delayed.
  func remaining(for asker: Asker, at now: Duration) -> Duration? {
    guard let until = records[asker]?.delayedUntil, until > now else { return nil }
    return until - now
  }

  /// Counts a request.
  ///
  /// - Returns: The delay, and whether it begins now; `nil` if the request is allowed.
  package mutating func asked(_ asker: Asker, at now: Duration) -> (delay: Delay, begins: Bool)? {
    if let remaining = remaining(for: asker, at: now) { return (Delay(remaining, records[asker]!.cause), false) }
    guard var record = records[asker], record.isDeclined, !isForgotten(record, at: now) else { return nil }
    record.requests.append(now)
    record.requests.removeAll { now - $0 > rule.window }
    let count = record.requests.count
    let delay = count > rule.requests ? delay(&record, .requests(count), at: now) : nil
    records[asker] = record
    return delay.map { (Delay($0, record.cause), true) }
  }

  /// Counts the outcome of a presentation, unless the requester or a remembered answer ended it, which disturbs no one.
  ///
  /// - Parameter answer: The content of a redacted answer.
  /// - Returns: The length of the delay, if one begins now.
  package mutating func ended(_ presentation: Presentation, answer: PresentationAnswer?, at now: Duration) -> Duration? {
    let asker = Asker(presentation.requester, presentation.request)
    if presentation.because != nil { return nil }
    if let by = presentation.resolvedBy, SelfAnswerRule.process.forbids(by.process, toAnswer: presentation.requester.process) {
      return nil
    }
    switch answer.map(PresentationOutcome.answered) ?? presentation.outcome {
    case .answered(.button(let id)) where presentation.request.buttons.contains { $0.id == id && $0.role == .cancel }:
      declined(asker, at: now)
    case .answered: answered(asker)
    // Closing a prompt without an answer refuses nothing.
    case .dismissed where !presentation.request.hasAnswer: break
    // Dismissing a screen of a flow means going back.
    case .dismissed where !presentation.request.flow || presentation.request.over == nil: return dismissed(asker, at: now)
    // Other outcomes are not a person's decision.
    case .dismissed, .cancelled, .expired, .failed, nil: break
    }
    return nil
  }

  /// Counts a dismissal.
  ///
  /// - Returns: The length of the delay, if this dismissal starts one.
  mutating func dismissed(_ asker: Asker, at now: Duration) -> Duration? {
    var record = refused(asker, at: now)
    defer { records[asker] = record }
    record.closed += 1
    // Requests made before the delay may be dismissed during it, which does not start another delay.
    if let until = record.delayedUntil, now < until { return nil }
    record.dismissals.append(now)
    record.dismissals.removeAll { now - $0 > rule.window }
    // After a delay, one more dismissal is enough.
    guard record.delays > 0 || record.dismissals.count >= rule.dismissals else { return nil }
    return delay(&record, .dismissals(record.closed), at: now)
  }

  /// Records a "no".
  mutating func declined(_ asker: Asker, at now: Duration) {
    records[asker] = refused(asker, at: now)
    records[asker]?.isDeclined = true
  }

  /// Resets the rule after an answer other than "no".
  mutating func answered(_ asker: Asker) {
    records[asker] = nil
  }

  private mutating func refused(_ asker: Asker, at now: Duration) -> Record {
    tidy(at: now)
    var record = records[asker] ?? Record()
    if isForgotten(record, at: now) { record = Record() }
    record.lastRefusal = now
    return record
  }

  private func delay(_ record: inout Record, _ cause: Delay.Cause, at now: Duration) -> Duration {
    let delay = min(rule.longestDelay, rule.firstDelay * (1 << min(record.delays, 30)))
    (record.dismissals, record.requests, record.isDeclined) = ([], [], false)
    record.delays += 1
    (record.delayedUntil, record.cause) = (now + delay, cause)
    return delay
  }

  private func isForgotten(_ record: Record, at now: Duration) -> Bool {
    now - max(record.lastRefusal, record.delayedUntil ?? .zero) > max(rule.window, rule.longestDelay)
  }

  /// Drops expired records from time to time, to bound the memory.
  private mutating func tidy(at now: Duration) {
    guard records.count >= tidyAt else { return }
    records = records.filter { !isForgotten($0.value, at: now) }
    tidyAt = max(1024, 2 * records.count)
  }
}

extension DismissalBackoff.Asker {
  package init(_ requester: Presentation.Requester, _ request: PresentationRequest) {
    self.init(requester, session: request.options.metadata[AgentLabel.session])
  }

  init(_ requester: Presentation.Requester, session: String?) {
    let terminal = requester.process.shell.map { "\($0.pid) \($0.started)" }
    self.init(owner: requester.process.owner, app: requester.app, place: session ?? terminal)
  }
}
