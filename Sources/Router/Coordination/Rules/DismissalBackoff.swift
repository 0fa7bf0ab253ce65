/// The rule against prompt bombing, without I/O, clock or tasks: who must wait before asking again.
///
/// Requests of a user and app are turned away after several dismissals in a row, or after many requests that follow a "no"
/// (an answer with the cancel button). An honest "no" alone never turns anybody away. Each pause is twice as long as the one
/// before. Another answer resets it all, as does a long time without a refusal.
public struct DismissalBackoff: Sendable {
  /// The figures of the rule.
  public struct Rule: Sendable, Hashable {
    /// Dismissals in a row that begin a pause.
    public var dismissals: Int
    /// Requests allowed after a "no"; one more begins a pause.
    public var requests: Int
    /// The time within which these must come.
    public var window: Duration
    /// The first pause; each later one is twice as long.
    public var firstPause: Duration
    /// The longest pause. After that long without a refusal, everything is forgotten.
    public var longestPause: Duration

    public init(
      dismissals: Int = 3, requests: Int = 10, window: Duration = .seconds(60), firstPause: Duration = .seconds(10),
      longestPause: Duration = .seconds(600)
    ) {
      self.dismissals = dismissals
      self.requests = requests
      self.window = window
      self.firstPause = firstPause
      self.longestPause = longestPause
    }
  }

  /// Whose requests they are: the kernel's word and the requester's own.
  struct Asker: Sendable, Hashable {
    let uid: UInt32
    let app: String
  }

  private struct Record {
    /// When people dismissed prompts, since the last pause or answer.
    var dismissals: [Duration] = []
    /// Whether somebody said "no" since then, and when requests came after it.
    var isDeclined = false
    var requests: [Duration] = []
    /// How many pauses there were in a row.
    var pauses = 0
    var pausedUntil: Duration?
    var lastRefusal: Duration = .zero
  }

  let rule: Rule
  private var records: [Asker: Record] = [:]
  /// How many records to look through when they are next tidied.
  private var tidyAt = 1024

  init(rule: Rule) { self.rule = rule }

  /// How much longer an asker's requests are turned away; `nil` if they are not.
  func remaining(for asker: Asker, at now: Duration) -> Duration? {
    guard let until = records[asker]?.pausedUntil, until > now else { return nil }
    return until - now
  }

  /// Someone asks.
  ///
  /// - Returns: How much longer its requests are turned away, and whether the pause begins now; `nil` if it may ask.
  mutating func asked(_ asker: Asker, at now: Duration) -> (remaining: Duration, begins: Bool)? {
    if let remaining = remaining(for: asker, at: now) { return (remaining, false) }
    guard var record = records[asker], record.isDeclined, !isForgotten(record, at: now) else { return nil }
    record.requests.append(now)
    record.requests.removeAll { now - $0 > rule.window }
    let pause = record.requests.count > rule.requests ? pause(&record, at: now) : nil
    records[asker] = record
    return pause.map { ($0, true) }
  }

  /// A presentation has ended.
  ///
  /// - Parameter answer: What a redacted answer said.
  /// - Returns: How long its requester's next requests are turned away, if a pause begins now.
  mutating func ended(_ presentation: Presentation, answer: PresentationAnswer?, at now: Duration) -> Duration? {
    let asker = Asker(presentation.requester)
    switch answer.map(PresentationOutcome.answered) ?? presentation.outcome {
    case .answered(.button(let id)) where presentation.request.buttons.contains { $0.id == id && $0.role == .cancel }:
      declined(asker, at: now)
    case .answered: answered(asker)
    // Closing a flow's screen is going back.
    case .dismissed where !presentation.request.flow || presentation.request.over == nil: return dismissed(asker, at: now)
    // The rest says nothing about the person.
    case .dismissed, .cancelled, .expired, .failed, nil: break
    }
    return nil
  }

  /// A person closed a prompt.
  ///
  /// - Returns: How long the asker's next requests are turned away, if this was one too many.
  mutating func dismissed(_ asker: Asker, at now: Duration) -> Duration? {
    var record = refused(asker, at: now)
    defer { records[asker] = record }
    // What was asked before the pause began may still be dismissed in it; that is no reason for another.
    if let until = record.pausedUntil, now < until { return nil }
    record.dismissals.append(now)
    record.dismissals.removeAll { now - $0 > rule.window }
    // After a pause one more is enough.
    guard record.pauses > 0 || record.dismissals.count >= rule.dismissals else { return nil }
    return pause(&record, at: now)
  }

  /// A person said no.
  mutating func declined(_ asker: Asker, at now: Duration) {
    records[asker] = refused(asker, at: now)
    records[asker]?.isDeclined = true
  }

  /// A person answered anything but no.
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

  private func pause(_ record: inout Record, at now: Duration) -> Duration {
    let pause = min(rule.longestPause, rule.firstPause * (1 << min(record.pauses, 30)))
    (record.dismissals, record.requests, record.isDeclined) = ([], [], false)
    record.pauses += 1
    record.pausedUntil = now + pause
    return pause
  }

  private func isForgotten(_ record: Record, at now: Duration) -> Bool {
    now - max(record.lastRefusal, record.pausedUntil ?? .zero) > max(rule.window, rule.longestPause)
  }

  /// Drops what is forgotten, now and then, so that many names do not fill the memory.
  private mutating func tidy(at now: Duration) {
    guard records.count >= tidyAt else { return }
    records = records.filter { !isForgotten($0.value, at: now) }
    tidyAt = max(1024, 2 * records.count)
  }
}

extension DismissalBackoff.Asker {
  init(_ requester: Requester) {
    self.init(uid: requester.process.uid, app: requester.app)
  }
}
