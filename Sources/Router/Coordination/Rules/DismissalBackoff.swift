/// Who has to wait before asking again, because people keep saying no: the rule against prompt bombing, without I/O, clock or
/// tasks.
///
/// After so many refusals in a row within a window, the next requests of that user and program are turned away, each time
/// for twice as long, until somebody answers or nothing was refused for a while. A refusal is a dismissal or an answer with
/// the cancel role; what ends otherwise says nothing about the person and counts for neither.
public struct DismissalBackoff: Sendable {
  /// The figures of the rule.
  public struct Rule: Sendable, Hashable {
    /// So many refusals in a row are too many.
    public var refusals: Int
    /// They must have come within this time.
    public var window: Duration
    /// How long requests are turned away the first time; then twice as long each time.
    public var firstPause: Duration
    /// The longest pause. After as long without a refusal all is forgotten.
    public var longestPause: Duration

    public init(
      refusals: Int = 3, window: Duration = .seconds(60), firstPause: Duration = .seconds(10),
      longestPause: Duration = .seconds(600)
    ) {
      self.refusals = refusals
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
    /// When people refused, since the last pause or answer; as many as the rule counts.
    var refusals: [Duration] = []
    /// How many pauses there were in a row.
    var pauses = 0
    /// When the last pause is over.
    var pausedUntil: Duration?
    var lastRefusal: Duration = .zero
  }

  let rule: Rule
  private var records: [Asker: Record] = [:]
  /// How many records to look through when they are next tidied.
  private var tidyAt = 1024

  init(rule: Rule) {
    self.rule = rule
  }

  /// How much longer an asker's requests are turned away; `nil` if they are not.
  func remaining(for asker: Asker, at now: Duration) -> Duration? {
    guard let until = records[asker]?.pausedUntil, until > now else { return nil }
    return until - now
  }

  /// How much longer a requester's requests are turned away; `nil` if they are not.
  func remaining(for requester: Requester, at now: Duration) -> Duration? {
    remaining(for: Asker(requester), at: now)
  }

  /// A presentation has ended.
  ///
  /// - Parameter answer: What a redacted answer said.
  /// - Returns: How long its requester's next requests are turned away, if this was one refusal too many.
  mutating func ended(_ presentation: Presentation, answer: PresentationAnswer?, at now: Duration) -> Duration? {
    guard let outcome = answer.map(PresentationOutcome.answered) ?? presentation.outcome,
      let isRefusal = presentation.request.isRefused(by: outcome)
    else { return nil }
    let asker = Asker(presentation.requester)
    guard !isRefusal else { return refused(asker, at: now) }
    answered(asker)
    return nil
  }

  /// A person refused what an asker wanted.
  ///
  /// - Returns: How long its next requests are turned away, if this was one too many.
  mutating func refused(_ asker: Asker, at now: Duration) -> Duration? {
    tidy(at: now)
    var record = records[asker] ?? Record()
    if isForgotten(record, at: now) { record = Record() }
    defer { records[asker] = record }
    record.lastRefusal = now
    // What was asked before the pause began may still be refused in it; that is no reason for another.
    if let until = record.pausedUntil, now < until { return nil }
    record.refusals.append(now)
    record.refusals.removeAll { now - $0 > rule.window }
    // After a pause one more refusal is enough.
    guard record.pauses > 0 || record.refusals.count >= rule.refusals else { return nil }
    let pause = min(rule.longestPause, rule.firstPause * (1 << min(record.pauses, 30)))
    record.refusals = []
    record.pauses += 1
    record.pausedUntil = now + pause
    return pause
  }

  /// A person answered what an asker wanted.
  mutating func answered(_ asker: Asker) {
    records[asker] = nil
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
  fileprivate init(_ requester: Requester) {
    self.init(uid: requester.process.uid, app: requester.app)
  }
}

extension PresentationRequest {
  /// Whether an end is a person's no; `nil` for one that says nothing about what the person wants.
  fileprivate func isRefused(by outcome: PresentationOutcome) -> Bool? {
    switch outcome {
    case .answered(.button(let id)): buttons.first { $0.id == id }?.role == .cancel
    case .answered: false
    // Closing a flow's screen is going back.
    case .dismissed: flow && over != nil ? nil : true
    case .cancelled, .expired, .failed: nil
    }
  }
}
