import OrderedCollections

/// The grants, rules, pauses and switch in force, computed from `granted`, `revoked`, `rulesLoaded`, `paused`, `resumed` and
/// `switched`. Consulted before a request enters the queue.
package struct Standing: Sendable {
  fileprivate struct Given: Sendable {
    let grant: Grant
    /// The deadline on the boot clock, so that setting the wall clock gives no extra time; `nil` for a session.
    let deadline: Duration?
    /// The size of the JSON.
    let bytes: Int
  }

  /// The acts of a user on a surface.
  fileprivate struct Domain: Hashable {
    let owner: Owner
    let surface: String
    let verb: String
  }

  /// The lookup key of a grant.
  fileprivate struct Key: Hashable {
    let domain: Domain
    let width: GrantOffer.Width
    let digest: String
  }

  /// The rules in force; `nil` if there are none.
  package private(set) var rules: RuleSet?
  package private(set) var pauses = SessionPauses()
  package private(set) var switched = SwitchInForce()
  private var given: OrderedDictionary<GrantID, Given> = [:]
  private var ids: [Key: [GrantID]] = [:]
  /// The widths of a domain's grants, with the number of grants for each.
  private var widths: [Domain: [GrantOffer.Width: Int]] = [:]
  private var bytes: [Owner: Int] = [:]

  package init() {}

  /// Restores what was recorded.
  ///
  /// - Parameter now: The time. Its wall clock is not before the newest event.
  package init(
    _ grants: [Grant], rules: RuleSet? = nil, pauses: [SessionPause] = [], switched: Switch = .on, at now: Moment
  ) {
    self.rules = rules
    for pause in pauses where now.wall < pause.until {
      self.pauses.add(pause, deadline: now.boot + pause.until.duration(since: now.wall), at: now.boot)
    }
    if switched.until.map({ now.wall < $0 }) ?? true {
      self.switched.apply(switched, deadline: switched.until.map { now.boot + $0.duration(since: now.wall) })
    }
    for grant in grants where grant.until.map({ now.wall < $0 }) ?? true {
      add(grant, deadline: grant.until.map { now.boot + $0.duration(since: now.wall) })
    }
  }

  /// Returns the same with ends by the clock at `now`, without what has ended.
  package func restored(at now: Moment) -> Standing {
    Standing(grants(), rules: rules, pauses: pauses.list(), switched: switched.recorded, at: now)
  }

  /// Grants in the order in which they were given.
  package func grants(at now: Duration = .zero) -> [Grant] { given.values.filter { $0.isAlive(at: now) }.map(\.grant) }

  package func grant(_ id: GrantID) -> Grant? { given[id]?.grant }

  package func grant(_ id: GrantID, at now: Duration) -> Grant? { given[id].flatMap { $0.isAlive(at: now) ? $0.grant : nil } }

  func count(of owner: Owner, at now: Duration) -> Int {
    given.values.count { $0.grant.condition.owner == owner && $0.isAlive(at: now) }
  }

  /// The size of a user's grants, including expired ones that are not removed yet.
  func bytes(of owner: Owner) -> Int { bytes[owner, default: 0] }

  // MARK: Fold

  /// Applies a recorded event, or one just decided. A follower may apply it long after it was recorded.
  ///
  /// - Parameter now: The time; `nil` to skip expiry.
  package mutating func apply(_ event: Event, at now: Moment?) {
    switch event.detail {
    case .granted(let grant):
      guard let now else { return add(grant, deadline: nil) }
      add(grant, deadline: grant.until.map { now.boot + max(.zero, $0.duration(since: max(now.wall, event.at))) })
      for (id, other) in given where !other.isAlive(at: now.boot) { remove(id) }
    case .revoked(let revoked): remove(revoked.grant)
    case .paused(let pause):
      let left = now.map { max(.zero, pause.until.duration(since: max($0.wall, event.at))) }
      pauses.add(pause, deadline: left.map { now!.boot + $0 }, at: now?.boot ?? .zero)
    case .resumed(let resumed): pauses.remove(resumed.pause)
    case .switched(let change):
      let left = now.flatMap { now in change.until.map { max(.zero, $0.duration(since: max(now.wall, event.at))) } }
      switched.apply(change, deadline: left.map { now!.boot + $0 })
    case .rulesLoaded(let loaded): rules = loaded.rules.rules.isEmpty ? nil : loaded.rules
    // The others concern a prompt, or only report.
    default: break
    }
  }

  /// Adds a grant. Replaces one with the same condition; one with an end does not replace one without.
  private mutating func add(_ grant: Grant, deadline: Duration?) {
    let (condition, key) = (grant.condition, grant.condition.key)
    for other in ids[key] ?? [] {
      guard let old = given[other]?.grant, old.condition == condition, old.isAlways == grant.isAlways else { continue }
      remove(other)
    }
    let size = grant.bytes
    given[grant.id] = Given(grant: grant, deadline: deadline, bytes: size)
    bytes[condition.owner, default: 0] += size
    ids[key, default: []].append(grant.id)
    widths[key.domain, default: [:]][key.width, default: 0] += 1
  }

  private mutating func remove(_ id: GrantID) {
    guard let entry = given.removeValue(forKey: id) else { return }
    let (owner, key) = (entry.grant.condition.owner, entry.grant.condition.key)
    bytes[owner, default: 0] -= entry.bytes
    if bytes[owner] == 0 { bytes[owner] = nil }
    ids[key]?.removeAll { $0 == id }
    if ids[key]?.isEmpty == true { ids[key] = nil }
    widths[key.domain]?[key.width]? -= 1
    if widths[key.domain]?[key.width] == 0 { widths[key.domain]?[key.width] = nil }
    if widths[key.domain]?.isEmpty == true { widths[key.domain] = nil }
  }

  // MARK: Questions

  /// Returns the grant that matches a request, and the reason if it leaves the request to a person; `nil` if there is none.
  /// Refusals take precedence over permissions, even if they do not cover the request.
  func grant(
    for request: PresentationRequest, by requester: Presentation.Requester, _ offer: GrantOffer?,
    _ selfAnswer: SelfAnswerRule, _ commands: CommandTable, at now: Duration
  ) -> (grant: Grant, obstacle: CommandTable.Obstacle?)? {
    guard !given.isEmpty, let offer, let act = request.act else { return nil }
    let domain = Domain(owner: requester.process.owner, surface: request.surface, verb: act.verb)
    // The request's options for remembering limit the widths of matching grants. A width may not be offered because of an
    // obstacle that also stops a grant.
    let fitting = (widths[domain] ?? [:]).keys.filter { width in
      request.remember?.matches.contains(width.match) == true
        && (width.match == .prefix || offer.widths.contains { $0.match == width.match } || !act.cautions.isEmpty)
    }
    let found = fitting.flatMap { width in
      act.parts(coveredBy: width).flatMap { ids[Key(domain: domain, width: width, digest: $0.digest)] ?? [] }
    }
    let grants = found.sorted().compactMap { given[$0] }.filter { $0.isAlive(at: now) }.map(\.grant)
      .filter { $0.applies(to: request, by: requester, offer, selfAnswer) }
    guard !grants.isEmpty else { return nil }
    let cautions = PromptCautions(request, by: requester)
    let answers = grants.map { (grant: $0, obstacle: $0.obstacle(to: act, cautions, commands, offer)) }
    let refusals = answers.filter(\.grant.isRefusal)
    let first = refusals.isEmpty ? answers : refusals
    return first.first { $0.obstacle == nil } ?? first.first
  }
}

extension Standing.Given {
  func isAlive(at now: Duration) -> Bool { deadline.map { now < $0 } ?? true }
}

extension Grant {
  /// The size of the JSON.
  var bytes: Int { JSONText(self).bytes.count }
}

extension Grant.Condition {
  fileprivate var key: Standing.Key {
    Standing.Key(domain: Standing.Domain(owner: owner, surface: surface, verb: verb), width: width, digest: digest)
  }
}
