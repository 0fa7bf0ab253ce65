import OrderedCollections
import RouterTesting
import TestSupport

@testable import Router
@testable import RouterCore

/// Generates a log with every kind of event, as a coordinator does: each row is the fold of its events.
///
/// The events are drawn from a seed, so a failure can be reproduced.
struct RecordedStory {
  private var random: SplitMix64
  private let ids = PresentationIDGenerator()
  private var clock = Timestamp("2026-11-21T07:00:00.000Z")!
  private(set) var lastNumber = 0
  private(set) var entries: [Event] = []
  private(set) var live: [Presentation] = []
  private var settled: [Presentation] = []
  private var grants: [GrantID] = []

  static let person = Presentation.Responder(
    process: ProcessIdentity(uid: 1001, gid: 1001, pid: 77, executable: "/usr/bin/routerctl", unit: "session-3.scope"),
    presenter: "terminal")

  private let setsClockBack: Bool

  init(seed: UInt64, setsClockBack: Bool = true) {
    random = SplitMix64(seed: seed)
    self.setsClockBack = setsClockBack
  }

  /// The entries of `steps` steps.
  static func entries(seed: UInt64, steps: Int) throws -> [Event] {
    var story = RecordedStory(seed: seed)
    return try story.next(steps)
  }

  /// The entries of the next steps.
  mutating func next(_ steps: Int) throws -> [Event] {
    let before = entries.count
    if before == 0 { record(.daemonStarted(Event.Daemon(Self.person))) }
    for _ in 0..<steps { try step() }
    return Array(entries[before...])
  }

  /// Ends all open presentations.
  mutating func finish() throws -> [Event] {
    let before = entries.count
    while let index = live.indices.first { try act(index, mustEnd: true) }
    return Array(entries[before...])
  }

  private mutating func step() throws {
    // The clock is occasionally set back.
    clock = clock.advanced(by: .milliseconds(setsClockBack && random.chance(2) ? -7_200_000 : random.below(400_000)))
    if live.isEmpty || random.chance(live.count < 12 ? 30 : 5) { return request() }
    if random.chance(12) { return aside() }
    try act(random.below(live.count), mustEnd: false)
  }

  private mutating func record(_ detail: Event.Detail, _ id: PresentationID? = nil) {
    entries.append(Event(at: clock, presentation: id, detail))
  }

  /// Records an event that changes no presentation.
  private mutating func aside() {
    switch random.below(11) {
    case 0: record(.presenterAttached(Event.PresenterAttached(surface: "main", by: Self.person)))
    case 1: record(.presenterDetached(Event.PresenterDetached(surface: "main", by: Self.person)))
    case 2: record(.throttled(Event.Throttled(uid: 1000, app: "agent", duration: .seconds(30))))
    case 3:
      record(
        .accessDenied(Event.AccessDenied(by: Self.person, what: "cancel", reason: "not its owner", unrecorded: 2)),
        live.randomElement(using: &random)?.id)
    case 4:
      record(.pageLinkIssued(Event.PageLinkIssued(by: Self.person, uid: 1001)))
      record(
        .switched(Switch(isOff: entries.count.isMultiple(of: 2), until: clock.advanced(by: .seconds(60)), by: Self.person)))
    case 5:
      record(.daemonStopped(Event.Daemon(Self.person)))
      record(.daemonStarted(Event.Daemon(Self.person)))
    case 6:
      guard let index = grants.indices.randomElement(using: &random) else { return }
      record(.revoked(Event.Revoked(grant: grants.remove(at: index), by: random.chance(50) ? Self.person : nil)))
    case 7: record(.rulesLoaded(Event.RulesLoaded(Self.rules, by: random.chance(50) ? Self.person : nil)))
    case 8: report()
    case 9: if let id = live.randomElement(using: &random)?.id { record(.resumed(Event.Resumed(pause: id, by: Self.person))) }
    default: if let id = settled.randomElement(using: &random)?.id { record(.delivered, id) }
    }
  }

  /// Records the result of an approved act.
  private mutating func report() {
    let approved = settled.indices.filter { settled[$0].isUnreported }
    guard let index = approved.randomElement(using: &random), let act = settled[index].request.act?.digest else {
      return record(.presenterAttached(Event.PresenterAttached(surface: "main", by: Self.person)))
    }
    let result: ActReport.Result = random.pick([
      .status(random.below(256)), .signal(15), .failed("no room"), .notRun("changed"),
    ])
    let report = ActReport(act: act, result, duration: random.chance(50) ? .milliseconds(random.below(9_000)) : nil)
    let ran = Presentation.Ran(report, by: Presentation.Responder(process: settled[index].requester.process))
    settled[index].ran = ran
    record(.ran(ran), settled[index].id)
  }

  private mutating func request() {
    lastNumber += 1
    let surface = random.pick(["main", "phone"])
    let parents = live.filter { $0.request.surface == surface && $0.state != .resolved }
    var request = PresentationRequest(
      kind: random.pick([.alert, .sheet, .confirmationDialog]),
      title: random.chance(90) ? "Deploy \(lastNumber) to \(random.pick(["production", "staging", "Zürich"]))?" : nil,
      message: random.chance(80) ? "Commit \(random.below(1_000_000)) \u{65}\u{301}té" : nil,
      buttons: [
        PresentationRequest.Button(id: "yes", label: "Deploy"), PresentationRequest.Button(id: "no", label: "Not now"),
      ],
      sheet: random.chance(60) ? "deploy-\(random.below(9))" : nil,
      payload: ["request": ["kind": "alert", "title": "Harmless?"], "n": .integer(lastNumber)],
      surface: surface, over: parents.randomElement(using: &random)?.id,
      flow: random.chance(30), sensitive: random.chance(20), metadata: ["ticket": "T-\(lastNumber)", "a": "b"])
    if random.chance(60) { request.act = Act("deploy", object: "\(lastNumber)", directory: "/srv") }
    // As an earlier version recorded it.
    if random.chance(50) { request.suppressionToggle = "Always deploy" }
    if request.suppressionToggle == nil, !request.flow { request.require = PresentationRequest.Requirement(2) }
    if random.chance(20) { request.shownTimeout = .seconds(90) }
    if random.chance(30) {
      request.onDismiss = try? PresentationRequest.CallbackAddress("http+unix://%2Frun%2Fa.sock/dismissed")
    }
    var process = ProcessIdentity(
      uid: 1000 + UInt32(random.below(3)), gid: 1000, pid: Int32(2 + random.below(30_000)), executable: "/usr/bin/agent",
      executableDoubt: random.chance(30) ? .deleted : nil, unit: "agent-\(random.below(9)).service",
      host: random.chance(30) ? "desk-\(random.below(9))" : "",
      directory: "/home/agent-\(random.below(9))",
      ancestry: [ProcessIdentity.Ancestor(pid: 77, started: 12_345, executable: "/usr/bin/node", script: "agent.js")])
    process.loginUser = 1000 + UInt32(random.below(3))
    let key = random.chance(40) ? try? IdempotencyKey("key-\(lastNumber)", of: request) : nil
    let asked = Asked(
      requester: Presentation.Requester(app: random.pick(["agent", "deploy", "backup"]), process: process), request: request,
      ruling: random.chance(20) ? Self.ruling : nil, at: clock,
      number: lastNumber, key: key)
    let event = Event(
      at: clock, presentation: ids.next(at: clock),
      .requested(
        Event.Requested(
          asked: asked, attached: random.chance(60), place: PresentationPlace(lane: 3, rank: lastNumber),
          level: random.below(3),
          hasCallback: random.chance(20))))
    guard let presentation = try? Presentation(event) else { return }
    live.append(presentation)
    entries.append(event)
  }

  /// Applies a valid next event to a presentation.
  private mutating func act(_ index: Int, mustEnd: Bool) throws {
    let presentation = live[index]
    let generation = presentation.generation
    let took = Duration.milliseconds(random.below(60_000))
    let detail: Event.Detail
    switch presentation.state {
    case .resolved:
      let isLast = mustEnd || random.chance(40)
      if random.chance(40) {
        detail = .callbackDelivered(Event.CallbackDelivered(attempts: 1 + random.below(4)))
      } else {
        detail = .callbackFailed(
          Event.CallbackFailed(error: "connection refused", attempts: 2, nextIn: isLast ? nil : .seconds(4)))
      }
    case .queued where !mustEnd && random.chance(10):
      let until = clock.advanced(by: .seconds(900))
      detail =
        random.chance(50)
        ? .deferred(Event.Deferred(until: until, by: Self.person))
        : .paused(SessionPause(presentation, until: until, by: Self.person))
    case .queued where !mustEnd && presentation.snoozedUntil != nil && random.chance(50):
      detail = .woken(Event.Woken(by: random.chance(50) ? Self.person : nil))
    case .queued where !mustEnd && random.chance(60), .presented where !mustEnd && presentation.covered && random.chance(60):
      detail = .presented(
        Event.Presented(
          surface: presentation.request.surface, generation: generation + 1, level: random.below(3),
          presenters: [AttachedPresenter(name: "terminal", uid: 1001, since: clock)]))
    case .presented where !mustEnd && !presentation.covered && random.chance(40):
      if random.chance(10) {
        detail = .presenterFailed(Event.PresenterFailed(by: Self.person, generation: generation, detail: "no display"))
      } else if presentation.request.require != nil || presentation.request.flow && random.chance(60) {
        detail = .answered(
          Event.Answered(answer: .button("yes"), by: Self.person, generation: generation, shownFor: took))
      } else {
        let reason = random.pick(WithdrawalReason.allCases)
        let isSnoozed = reason == .snoozed
        detail = .withdrawn(
          Event.Withdrawn(
            reason: reason, generation: generation,
            place: isSnoozed || random.chance(50) ? PresentationPlace(lane: 0, rank: random.below(99)) : nil, shownFor: took,
            until: isSnoozed ? clock.advanced(by: .seconds(900)) : nil, by: isSnoozed ? Self.person : nil))
      }
    case .queued, .presented:
      if presentation.attached, !mustEnd, random.chance(25) {
        detail = .detached
      } else {
        let isShown = presentation.state == .presented && !presentation.covered
        let outcome = outcome(presentation)
        let grant = grants.last
        if isShown, case .answered(.button) = outcome, random.chance(50) { try remember(presentation) }
        var extra = AnswerExtra(
          comment: [.answered, .dismissed].contains(outcome.name) && random.chance(20) ? "use trash" : nil)
        extra.isSuppressed = outcome.name == .answered && presentation.request.suppressionToggle != nil && random.chance(50)
        detail = .resolved(
          Event.Resolved(
            outcome: outcome, extra: extra, by: random.chance(80) ? Self.person : nil,
            because: random.chance(20) ? grant.map { .grant($0) } ?? .rule("no", rules: Self.rules.digest) : nil,
            finishedBy: random.chance(10) ? Self.person : nil, generation: isShown ? generation : nil,
            shownFor: isShown ? took : nil))
      }
    }
    let event = Event(at: clock, presentation: presentation.id, detail)
    try live[index].apply(event)
    entries.append(event)
    if live[index].state == .resolved, live[index].callback?.state != .pending {
      settled.append(live.remove(at: index))
      if settled.count > 8 { settled.removeFirst() }
    }
  }

  private static let rules = RuleSet(file: "/etc/routerd/rules.yaml", text: "version: 1\n# \u{65}\u{301}\n", rules: [])
  private static let ruling = Ruling(
    rule: "ask", rules: rules.digest, changes: Rule.Changes(priority: .low, isDestructive: true, mayRemember: false))

  private mutating func remember(_ presentation: Presentation) throws {
    let id = ids.next(at: clock)
    let grant: JSONValue = [
      "grant": .string(id.description), "surface": .string(presentation.request.surface), "button": "yes", "label": "Deploy",
      "act": ["verb": "deploy", "argv": ["deploy", .string("\(random.below(9))")], "directory": "/srv"], "match": "exact",
      "uid": .integer(Int(presentation.requester.process.uid)), "app": .string(presentation.requester.app), "anchor": "bash",
      "session": ["pid": 77, "started": 12_345, "boot": "b"], "grantedAt": .string(clock.description),
      "presentation": .string(presentation.id.description), "by": ["uid": 1001, "gid": 1001, "pid": 77],
    ]
    record(.granted(try Grant(json: grant)), presentation.id)
    grants.append(id)
  }

  private mutating func outcome(_ presentation: Presentation) -> PresentationOutcome {
    let outcome: PresentationOutcome =
      switch random.below(8) {
      case 0: .dismissed
      case 1: .cancelled(random.pick(PresentationOutcome.CancellationReason.allCases))
      case 2: .expired(random.pick(PresentationOutcome.ExpiryPhase.allCases))
      case 3: .failed("cannot open the display")
      case 4, 5: .answered(.value(["name": "Ada", "age": 36, "tags": ["x", "y"]]))
      default: .answered(.button(random.pick(["yes", "no"])))
      }
    return outcome.redacted(if: presentation.request.sensitive)
  }
}
