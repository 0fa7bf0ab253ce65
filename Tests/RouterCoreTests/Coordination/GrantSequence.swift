import OrderedCollections
import RouterCore
import TestSupport

/// A random sequence of requests with acts, answers that are remembered, revocations and time, run by the rules and by a model
/// that keeps a plain list of grants and compares them one by one.
struct GrantSequence {
  /// A mistake of the model, which a comparison has to find.
  enum Fault: CaseIterable {
    case forgetsTheUser, forgetsTheSurface, forgetsTheLabel, forgetsTheBoot, forgetsTheStartTime, forgetsTheExecutable
    case forgetsTheTime, forgetsRevocations, forgetsTheDirectory, forgetsTheVariables, takesAllPrefixes, prefersPermission
    case leavesWhatWaits, keepsBothOfACondition, seesAllPrograms, takesAlwaysWithoutAnOffer
  }

  private struct Given {
    let id: GrantID
    let ask: PresentationAsk
    let choice: GrantChoice
    let button: PresentationRequest.Button
    let anchor: ProcessIdentity.Ancestor
    let deadline: Duration?
    let by: Presentation.Responder
  }

  private static let maximumGrants = 4

  private var random: SplitMix64
  private let fault: Fault?
  private var scene = Scene(presenters: 1)
  private var given: [Given] = []
  private var asks: OrderedDictionary<PresentationID, PresentationAsk> = [:]
  private var number = 0

  init(seed: UInt64, fault: Fault? = nil) {
    random = SplitMix64(seed: seed)
    self.fault = fault
    scene.surfaces.policy.grants = GrantPolicy(
      longest: .seconds(3600), perUser: Self.maximumGrants, perMinute: 1_000_000, verbs: ["deploy"])
    scene.surfaces.policy.grants.always = true
    scene.attach(2, to: "other")
  }

  mutating func run(steps: Int = 60) throws(Violation) {
    for _ in 0..<steps {
      switch random.below(100) {
      case 0..<55: try ask()
      case 55..<85: try answer()
      case 85..<92: try revoke()
      default: scene.wait(random.below(400))
      }
    }
  }

  // MARK: Steps

  private mutating func ask() throws(Violation) {
    let ask = newAsk()
    asks[ask.id] = ask
    let expected = verdict(on: ask)
    let before = scene.events.count
    do { _ = try scene.handle(.request(ask)) } catch { throw Violation("refused: \(error)") }
    guard let end = scene.events[before...].compactMap({ Self.end($0, of: ask.id) }).first else {
      try Violation.unless(expected == nil, "was not settled")
      return
    }
    try Violation.unless(
      end.because != nil && end.outcome == .answered(.button(expected ?? "")),
      "was settled by \(end.because, default: "a person") as \(end.outcome) instead of \(expected ?? "nothing")")
    try Violation.unless(scene.events[before...].count == 2, "more happened than the request and its answer")
  }

  private mutating func answer() throws(Violation) {
    let surface = random.pick(["main", "other"])
    guard let top = scene.surfaces.state.surfaces[surface]?.top, let ask = asks[top.id] else { return }
    let button = random.pick(ask.request.buttons)
    var extra = AnswerExtra()
    var choice: GrantChoice?
    if let offer = top.presentation.offer, random.chance(70) {
      choice = GrantChoice(random.pick(offer.widths), for: random.pick(offer.periods))
      number += 1
      choice?.id = PresentationID(number: number)
      extra.remember = choice
    }
    let by = Presentation.Responder(
      process: ProcessIdentity(uid: UInt32(1 + random.below(2)), gid: 1, pid: 900, ancestry: [.init(pid: 900, started: 900)]))
    let open = scene.surfaces.state.surfaces[surface]?.ordered ?? []
    let before = scene.events.count
    let isFull = given.count { $0.ask.uid == ask.uid && isAlive($0) } >= Self.maximumGrants
    do {
      _ = try scene.handle(.change(top.id, Verbs.Answer(.button(button.id), extra), by: by))
    } catch .full(.grants) {
      return try Violation.unless(choice != nil && isFull, "has room for a grant")
    } catch {
      throw Violation("refused: \(error)")
    }
    try Violation.unless(choice == nil || !isFull, "has no room for a grant")
    var expected: [PresentationID] = [top.id]
    if let choice, let anchor = top.presentation.offer?.anchor {
      let grant = Given(
        id: choice.id!, ask: ask, choice: choice, button: button, anchor: anchor,
        deadline: choice.period.seconds.map { scene.now + $0 }, by: by)
      if fault != .keepsBothOfACondition { given = given.filter { !isSameCondition($0, grant) } }
      given.append(grant)
      for id in open where id != top.id && fault != .leavesWhatWaits {
        if let waiting = asks[id], settles(grant, waiting) { expected.append(id) }
      }
    }
    let ended = scene.events[before...].compactMap { event in
      if case .resolved = event.detail { event.presentation } else { nil }
    }
    try Violation.unless(ended == expected, "ended \(ended.count) instead of \(expected.count)")
  }

  private mutating func revoke() throws(Violation) {
    guard !given.isEmpty else { return }
    let index = random.below(given.count)
    let grant = given[index]
    _ = try? scene.handle(.revoke(grant.id, by: .user(grant.ask.uid), isAdmin: false))
    if fault != .forgetsRevocations { given.remove(at: index) }
  }

  private static func end(_ event: Event, of id: PresentationID) -> Event.Resolved? {
    if event.presentation == id, case .resolved(let end) = event.detail { end } else { nil }
  }

  // MARK: The model

  private func verdict(on ask: PresentationAsk) -> String? {
    let found = given.filter { isAlive($0) && settles($0, ask) }.sorted { $0.id < $1.id }
    let refusal = fault == .prefersPermission ? nil : found.first { $0.button.role == .cancel }
    return (refusal ?? found.first)?.button.id
  }

  private func isAlive(_ grant: Given) -> Bool {
    fault == .forgetsTheTime || grant.deadline.map { scene.now < $0 } ?? true
  }

  private func isSameCondition(_ left: Given, _ right: Given) -> Bool {
    left.ask.uid == right.ask.uid && left.ask.request.surface == right.ask.request.surface
      && left.choice.width == right.choice.width
      && left.ask.request.act!.verb == right.ask.request.act!.verb
      && covers(left.choice.width, left.ask.request.act!, right.ask.request.act!)
      && covers(right.choice.width, right.ask.request.act!, left.ask.request.act!)
      && left.choice.period.kind == right.choice.period.kind
      && (left.choice.period == .session
        ? left.anchor.pid == right.anchor.pid && left.anchor.started == right.anchor.started && left.ask.boot == right.ask.boot
        : left.anchor.executable == right.anchor.executable)
      && (left.choice.width.match != .under || left.ask.request.act!.directory == right.ask.request.act!.directory)
  }

  private func settles(_ grant: Given, _ ask: PresentationAsk) -> Bool {
    let (own, other) = (grant.ask.request, ask.request)
    guard fault == .forgetsTheUser || grant.ask.uid == ask.uid, fault == .forgetsTheSurface || own.surface == other.surface,
      own.act?.verb == other.act?.verb, other.remember != nil,
      other.buttons.contains(where: {
        $0.id == grant.button.id && (fault == .forgetsTheLabel || $0.label == grant.button.label) && $0.role != .destructive
      })
    else { return false }
    let ancestry = ask.requester.process.ancestry!
    let isAnchored =
      if grant.choice.period == .session {
        (fault == .forgetsTheBoot || grant.ask.boot == ask.boot)
          && ancestry.contains {
            $0.pid == grant.anchor.pid && (fault == .forgetsTheStartTime || $0.started == grant.anchor.started)
          }
      } else {
        fault == .forgetsTheExecutable || ancestry.contains { $0.executable == grant.anchor.executable }
          || fault != .seesAllPrograms && grant.button.role == .cancel && ancestry.contains { $0.executable == nil }
      }
    let isOffered =
      grant.choice.period != .always || other.remember!.periods.contains(.always) || fault == .takesAlwaysWithoutAnOffer
    return isAnchored && isOffered && covers(grant.choice.width, own.act!, other.act!)
  }

  private func covers(_ width: GrantOffer.Width, _ own: Act, _ other: Act) -> Bool {
    let isThere = fault == .forgetsTheDirectory || own.directory == other.directory
    let isSame = fault == .forgetsTheVariables || own.environment == other.environment
    switch width.match {
    case .exact: return own.object == other.object && own.arguments == other.arguments && isThere && isSame
    case .prefix:
      guard let arguments = other.arguments, arguments.count >= width.count! else { return false }
      return (fault == .takesAllPrefixes || Array(arguments.prefix(width.count!)) == Array(own.arguments!.prefix(width.count!)))
        && isThere && isSame
    case .under:
      // The later request does not offer it for what is elsewhere.
      guard let object = other.object, object.hasPrefix(other.directory! + "/") else { return false }
      return object.hasPrefix(own.directory! + "/") && isSame
    case .verb: return isThere && isSame
    }
  }

  // MARK: Requests

  /// Half of the requests repeat an earlier one.
  private mutating func newAsk() -> PresentationAsk {
    number += 1
    if !asks.isEmpty, random.chance(50) {
      var again = asks.values[random.below(asks.count)]
      again.id = PresentationID(number: number)
      return again
    }
    var ask = PresentationAsk(
      PresentationID(number: number), uid: UInt32(1 + random.below(2)), surface: random.pick(["main", "main", "other"]))
    let agent = ProcessIdentity.Ancestor(
      pid: Int32(random.pick([50, 51])), started: random.pick([500, 500, 501]),
      executable: random.pick(["/bin/a", "/bin/a", "/bin/b"]))
    // A program that cannot be seen might be the one that was refused.
    let child = ProcessIdentity.Ancestor(pid: 60, started: 600, executable: random.chance(20) ? nil : "/bin/c")
    ask.requester.process = ProcessIdentity(uid: ask.uid, gid: ask.uid, pid: 60, ancestry: [child, agent])
    ask.boot = random.pick(["b1", "b1", "b2"])
    var act = Act(random.pick(["run", "run", "deploy"]), directory: random.pick(["/s", "/s", "/t"]))
    switch random.below(3) {
    case 0: act.object = random.pick(["/s/x", "/s/d/y", "/t/z"])
    case 1: act.object = random.pick(["x", "y"])
    default:
      act.arguments = random.pick([["git", "log"], ["git", "log", "a"], ["git", "log", "b"], ["git", "show", "a"]])
    }
    if random.chance(20) { act.environment = ["A": random.pick(["1", "2"])] }
    ask.draft.act = act
    ask.draft.agent = agent.pid
    ask.draft.remember =
      random.chance(90)
      ? PresentationRequest.Remember(
        matches: [.exact, .prefix, .under, .verb],
        periods: [.session, .seconds(300)] + (random.chance(70) ? [.always] : [])) : nil
    ask.draft.buttons = [
      PresentationRequest.Button(id: "a", label: random.pick(["Allow", "Allow", "Permit"])),
      PresentationRequest.Button(id: "d", label: "Deny", role: .cancel),
    ]
    return ask
  }
}

extension PresentationRequest.Remember.Period {
  fileprivate var seconds: Duration? { if case .seconds(let seconds) = self { .seconds(seconds) } else { nil } }
  fileprivate var kind: Self { if case .seconds = self { .seconds(0) } else { self } }
}
