import Router
import RouterCore
import RouterLog

extension Facts {
  /// Compares the records with what programs and people have seen.
  ///
  /// - Parameters:
  ///   - shared: All events of the shared surface; `nil` without one.
  ///   - logs: All events of each host's log.
  /// - Returns: What does not fit.
  func contradictions(to shared: [AuditEvent]?, _ logs: [[AuditEvent]]) throws -> [String] {
    var record = Record()
    for event in shared ?? [] { try record.add(event, self) }
    for events in logs {
      record.begin()
      for event in events { try record.add(event, self) }
    }
    for (id, title) in accepted where record.titles[id] != title { record.violate("\(id) was accepted, and is not on record") }
    for (id, outcome) in ended where record.outcomes[id] != outcome {
      record.violate("\(id) ended as \(outcome), and on record as \(String(describing: record.outcomes[id]))")
    }
    for (id, outcome) in calledBack where record.outcomes[id] != outcome {
      record.violate("the callback of \(id) said \(outcome), and the record \(String(describing: record.outcomes[id]))")
    }
    for sent in confirmed where !record.answers.contains(sent) { record.violate("\(sent) was accepted, and is not on record") }
    // A prompt may be shown while its showing is being recorded, but only after its request.
    for showing in shown where record.titles[showing.id] == nil { record.violate("\(showing) was shown, and is not on record") }
    // Nothing that was refused may be on record.
    for (title, count) in record.counts where count > asked[title] ?? 0 {
      record.violate("\(title) is on record \(count) times")
    }
    for grant in revoked where !record.revoked.contains(grant) { record.violate("\(grant) was revoked, and is not on record") }
    return record.violations
  }

  /// The state after the events so far.
  private struct Record {
    private struct Waiting {
      let surface: String
      let owner: Owner
      let priority: PresentationOptions.Priority
      let number: Int
      let over: PresentationID?
      /// Whether only its first place in the line counts.
      var hasMoved = false
    }

    private(set) var violations: [String] = []
    var titles: [PresentationID: String] = [:]
    var outcomes: [PresentationID: PresentationOutcome] = [:]
    var answers: Set<Sent> = []
    var revoked: Set<GrantID> = []
    /// The number of requests by title.
    var counts: [String: Int] = [:]
    /// The last request of each key.
    private var keys: [String: PresentationID] = [:]
    private var reported: Set<PresentationID> = []
    /// The last grant of each condition, with and without an end.
    private var grants: [Bool: [Grant.Condition: GrantID]] = [:]
    /// The grants that a later one has replaced.
    private var replaced: Set<GrantID> = []
    private var waiting: [PresentationID: Waiting] = [:]
    private var generations: [PresentationID: Int] = [:]
    /// The presentation on top of each surface.
    private var tops: [String: PresentationID] = [:]
    /// The digest of the rules in force.
    private var rules: String?
    /// The people who have approved each presentation that needs two.
    private var approvers: [PresentationID: Set<Owner>] = [:]
    private var delivered: Set<PresentationID> = []
    private var lastNumber = 0
    private var lastSeq: Int64 = 0

    /// Begins with the log of a host.
    mutating func begin() { (lastNumber, lastSeq, tops, waiting, rules) = (0, 0, [:], [:], nil) }

    mutating func violate(_ text: String) { violations.append(text) }

    mutating func add(_ recorded: AuditEvent, _ facts: Facts) throws {
      if lastSeq > 0, recorded.seq != lastSeq + 1 { violate("event \(recorded.seq) follows \(lastSeq)") }
      lastSeq = recorded.seq
      let event = try recorded.event()
      if case .daemonStarted = event.detail {
        tops = [:]
        for id in waiting.keys { waiting[id]?.hasMoved = true }
      }
      if case .revoked(let end) = event.detail { revoked.insert(end.grant) }
      if case .granted(let grant) = event.detail,
        let other = grants[grant.isAlways, default: [:]].updateValue(grant.id, forKey: grant.condition)
      {
        replaced.insert(other)
      }
      if case .rulesLoaded(let loaded) = event.detail { rules = loaded.rules.digest }
      guard let id = event.presentation else { return }
      switch event.detail {
      case .requested(let asked):
        if titles.updateValue(asked.request.title ?? "", forKey: id) != nil { violate("\(id) was requested twice") }
        if asked.number <= lastNumber { violate("\(id) has the number \(asked.number) after \(lastNumber)") }
        lastNumber = asked.number
        if asked.request.require != nil { approvers[id] = [] }
        counts[asked.request.title ?? "", default: 0] += 1
        if let key = asked.key?.text, let other = keys.updateValue(id, forKey: key), outcomes[other]?.freesKey != true {
          violate("\(id) has the key of \(other)")
        }
        let options = asked.request.options
        waiting[id] = Waiting(
          surface: options.surface, owner: asked.requester.process.owner, priority: options.priority, number: asked.number,
          over: asked.request.over,
          // Waits for people who may answer it.
          hasMoved: asked.request.require != nil)
      case .presented(let shown):
        if let top = tops[shown.surface], top != id, waiting[id]?.over != top { violate("\(id) was shown over \(top)") }
        if shown.generation <= generations[id] ?? 0 { violate("\(id) was shown again as \(shown.generation)") }
        checkOrder(of: id)
        tops[shown.surface] = id
        generations[id] = shown.generation
      case .withdrawn(let end):
        leave(id)
        if end.reason != .covered { waiting[id]?.hasMoved = true }
      case .answered(let answered):
        note(answered.answer, to: Showing(id: id, generation: answered.generation), facts)
        if let by = answered.by?.process.owner { approvers[id]?.insert(by) }
      case .deferred, .woken: waiting[id]?.hasMoved = true
      case .presenterFailed: waiting[id]?.hasMoved = true
      case .resolved(let end):
        if outcomes.updateValue(end.outcome, forKey: id) != nil { violate("\(id) ended twice") }
        leave(id)
        waiting[id] = nil
        check(end, of: id, facts)
      case .callbackDelivered:
        if outcomes[id] == nil { violate("\(id) was called back before its end") }
        if !delivered.insert(id).inserted { violate("the callback of \(id) is recorded twice") }
      case .ran: if !reported.insert(id).inserted { violate("the result of \(id) is recorded twice") }
      default: break
      }
    }

    private mutating func leave(_ id: PresentationID) {
      for (surface, top) in tops where top == id { tops[surface] = waiting[id]?.over }
    }

    /// Checks that no request of the same user and priority, which has always waited in its place, was overtaken.
    private mutating func checkOrder(of id: PresentationID) {
      guard let shown = waiting[id], !shown.hasMoved, shown.over == nil else { return }
      for (other, waits) in waiting where waits.surface == shown.surface && waits.number < shown.number {
        let isOlder = waits.owner == shown.owner && waits.priority == shown.priority
        let isOvertaken = isOlder && !waits.hasMoved && waits.over == nil && generations[other] == nil
        if isOvertaken { violate("\(id) was shown before \(other)") }
      }
    }

    private mutating func note(_ answer: PresentationAnswer, to showing: Showing, _ facts: Facts) {
      let sent = Sent(showing: showing, answer: answer)
      answers.insert(sent)
      if facts.sent[sent, default: 0] == 0 { violate("nobody gave the answer of \(sent)") }
    }

    private mutating func check(_ end: Event.Resolved, of id: PresentationID, _ facts: Facts) {
      guard case .answered(let answer) = end.outcome else { return }
      switch end.because {
      case nil:
        note(answer, to: Showing(id: id, generation: end.generation ?? 0), facts)
        if let others = approvers[id], answer == .button("yes"), others.union(end.by.map { [$0.process.owner] } ?? []).count < 2
        {
          violate("\(id) was approved by \(others.count) of two people")
        }
      case .grant(let grant):
        if revoked.contains(grant) { violate("\(id) was answered by \(grant), which was revoked before") }
        if replaced.contains(grant) { violate("\(id) was answered by \(grant), which was replaced before") }
      case .rule(_, let digest): if digest != rules { violate("\(id) was answered by rules that were not in force") }
      default: break
      }
    }
  }
}
