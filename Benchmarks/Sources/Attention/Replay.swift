import Router

@testable import RouterCore
@testable import RouterSystem
@testable import RouterTerminal

/// What Router may remember.
enum Mode: String, CaseIterable {
  case none = "no memory"
  case session = "session and 1 h"
  case rules = "rules each night"
  case always = "always"

  func policy(_ options: Options) -> PresentationSurfaces.Policy {
    var policy = PresentationSurfaces.Policy()
    policy.grants = GrantPolicy(longest: self == .none ? .zero : .seconds(43_200))
    policy.grants.always = self == .always
    policy.grants.commands = options.commands
    return policy
  }
}

/// One week through the rules of the daemon, in one mode.
struct Replay {
  /// Why a call reached the person.
  enum Reason: String, CaseIterable {
    case planted, caution
    case noAct = "cannot be remembered"
    case first = "first time"
    case again = "second or third time"
    case more = "fourth time or more"
  }

  let mode: Mode
  private(set) var calls = Array(repeating: 0, count: 7)
  private(set) var prompts = Array(repeating: 0, count: 7)
  private(set) var keys = Array(repeating: 0, count: 7)
  private(set) var reasons: [Kind: [Reason: Int]] = [:]
  /// The planted calls that were allowed without a person, and the good calls that were denied without one.
  private(set) var unseen: [Call] = []
  private(set) var denied: [Call] = []
  /// The planted calls that a remembered "no" or a rule denied without a person.
  private(set) var refused = 0
  /// The planted calls that imitate one that is allowed without a person at this moment.
  private(set) var imitations = 0
  /// The answers that were not remembered because the user had too many.
  private(set) var full = 0
  /// The remembered answers, and those that ended with their process.
  private(set) var (given, ended) = (0, 0)
  /// The largest number of grants in force, and the number of rules.
  private(set) var grants = 0
  var rules: Int { surfaces.rules?.rules.count ?? 0 }

  private let week: Week
  private var surfaces: PresentationSurfaces
  private var fold = PresentationFold()
  /// The presentations on record.
  private var record: [Presentation] = []
  private let ids = PresentationIDGenerator(random: { 1 })
  private var now = Moment.zero
  private var boot = ""
  private var answers: [String: Int] = [:]

  init(_ mode: Mode, _ week: Week, _ options: Options) throws {
    (self.mode, self.week, surfaces) = (mode, week, PresentationSurfaces(mode.policy(options)))
    var day = 0
    for call in week.calls {
      // The person may still be answering an earlier call.
      if call.at.wall > now.wall { now = call.at }
      guard let ask = call.ask else { continue }
      if let boot = ask.boot, boot != self.boot { try start(boot) }
      if call.day != day {
        if mode == .rules { try loadRules() }
        day = call.day
      }
      try handle(call, ask)
    }
  }

  // MARK: The daemon

  private mutating func send(_ input: PresentationInput) throws -> [Event] { note(try surfaces.handle(input, at: now)) }

  private mutating func note(_ events: [Event]) -> [Event] {
    for event in events {
      // The fold cannot fail on events of the rules.
      guard let presentation = try? fold.apply(event, at: now), case .resolved = event.detail else { continue }
      record.append(presentation)
    }
    return events
  }

  /// Starts the daemon after a boot, with the grants, rules and answers on record, and the person's terminal.
  private mutating func start(_ boot: String) throws {
    self.boot = boot
    let state = surfaces.state
    let kept = PresentationFold(
      [], lastNumber: state.lastNumber, standing: Standing(state.standing.grants(), rules: state.standing.rules, at: now),
      answers: state.answers)
    var events: [Event] = []
    surfaces = PresentationSurfaces(surfaces.policy, restarting: kept, at: now, grace: .seconds(10), events: &events)
    _ = note(events)
    _ = try send(
      .presenterAttached(
        PresenterID(1), PresenterIdentity(name: "tty", process: person.process, since: now.wall), surface: "main"))
  }

  /// Puts the rules in force that `routerctl rules suggest` prints for the record.
  private mutating func loadRules() throws {
    let old = surfaces.rules
    var suggestions = RuleSuggestions(surfaces.policy.grants.commands)
    for presentation in record {
      let decision = old?.decision(on: presentation.sentRequest, by: presentation.requester, surfaces.policy.grants.commands)
      if decision?.rule == nil { suggestions.add(presentation) }
    }
    let new = suggestions.suggestions(besides: Set(old?.rules.map(\.id) ?? [])).map(\.rule)
    let rules = (old?.rules ?? []) + new
    let text = rules.map { JSONText($0).description }.joined(separator: "\n")
    _ = try send(.loadRules(Event.RulesLoaded(RuleSet(file: "rules.yaml", text: text, rules: rules))))
  }

  private mutating func handle(_ call: Call, _ ask: PresentationAsk) throws {
    calls[call.day] += 1
    if let model = call.model {
      var copy = surfaces
      if Self.end(of: try copy.handle(.request(model), at: now))?.outcome == .allowed { imitations += 1 }
    }
    let events = try send(.request(ask))
    if let end = Self.end(of: events) {
      let isAllowed = end.outcome == .allowed
      if call.attack == nil, !isAllowed { denied.append(call) }
      if call.attack != nil { if isAllowed { unseen.append(call) } else { refused += 1 } }
      return
    }
    guard let presentation = surfaces.entry(ask.id)?.presentation, presentation.state == .presented else {
      throw Problem("the prompt is not shown: \(call.text)")
    }
    prompts[call.day] += 1
    try answer(presentation, call)
  }

  private static func end(of events: [Event]) -> Event.Resolved? {
    events.lazy.compactMap { event in if case .resolved(let end) = event.detail { end } else { nil } }.first
  }

  // MARK: The person

  private var person: Presentation.Responder {
    let ancestry: [ProcessIdentity.Ancestor] = [
      .init(pid: 1600, started: 1000, executable: "/usr/bin/routerctl"),
      .init(pid: 1599, started: 950, executable: "/usr/bin/bash"),
      .init(pid: 1500, started: 800, executable: "/usr/bin/tmux"), .init(pid: 1, started: 1, command: "systemd", uid: 0),
    ]
    let process = ProcessIdentity(uid: 1000, gid: 1000, pid: 1600, executable: "/usr/bin/routerctl", ancestry: ancestry)
    return Presentation.Responder(process: process, presenter: "tty")
  }

  /// Answers after three seconds, with the keys of the terminal.
  private mutating func answer(_ presentation: Presentation, _ call: Call) throws {
    let cautions = PromptCautions(presentation.request, by: presentation.requester)
    let isRisky = !cautions.ofAct.isEmpty || !cautions.others.isEmpty
    let digest = presentation.request.act?.digest
    let before = digest.map { answers[$0, default: 0] } ?? 0
    let reason: Reason =
      call.attack != nil
      ? .planted : digest == nil ? .noAct : isRisky ? .caution : before == 0 ? .first : before < 3 ? .again : .more
    reasons[call.kind, default: [:]][reason, default: 0] += 1
    (now.boot, now.wall) = (now.boot + .seconds(3), now.wall.advanced(by: .seconds(3)))
    let choice = call.attack == nil && !isRisky ? choice(presentation, before) : nil
    do {
      try press(presentation, call.attack == nil ? "allow" : "deny", choice, call)
    } catch let rejection as PresentationRejection where rejection == .full(.grants) {
      full += 1
      try press(presentation, "allow", nil, call)
    }
    if let digest, call.attack == nil, choice == nil { answers[digest, default: 0] += 1 }
    grants = max(grants, surfaces.standing.grants(at: now.boot).count)
  }

  /// Returns what the person remembers with the answer: reading commands at once, other commands after three equal answers, and
  /// changes of files at the third one in a project.
  private mutating func choice(_ presentation: Presentation, _ before: Int) -> GrantChoice? {
    guard let offer = presentation.offer, let width = offer.widths.last, let act = presentation.request.act else { return nil }
    var period: PresentationRequest.Remember.Period = offer.periods.contains(.always) ? .always : .session
    switch width.match {
    case .prefix: break
    case .under, .verb:
      let edits = "\(act.verb) \(act.directory ?? "")"
      answers[edits, default: 0] += 1
      if answers[edits]! < 3 { return nil }
    case .exact:
      let isHabit = mode == .always ? offer.habit != nil : before >= 3
      guard isHabit else { return nil }
      // Other agents of the project run the same tests.
      if period == .session { period = .seconds(3600) }
    }
    var choice = GrantChoice(width, for: period)
    choice.id = ids.next(at: now.wall)
    return choice
  }

  private mutating func press(_ presentation: Presentation, _ button: String, _ choice: GrantChoice?, _ call: Call) throws {
    var state = PromptState(presentation, waiting: 0, now: now.wall)
    _ = state.handle(.armed)
    state.hasSeenAll = true
    var typed: [Key] = []
    if let choice, let offer = presentation.offer {
      typed = [.text("r")]
      typed +=
        choice.period == .always
        ? [.text("a")] : Array(repeating: .right, count: offer.periods.firstIndex(of: choice.period)! + 1)
      if let step = offer.widths.firstIndex(of: choice.width), step > 0 {
        typed += [.down] + Array(repeating: .right, count: step)
      }
    }
    typed.append(.text(state.prompt.buttons.first { $0.id == button }?.key ?? ""))
    keys[call.day] += typed.count
    let responses = typed.compactMap { state.handle(.key($0)) }
    guard let response = responses.first, response.answer == .button(button), var extra = Optional(response.extra),
      extra.remember?.width == choice?.width, extra.remember?.period == choice?.period
    else { throw Problem("the terminal did not answer as meant: \(call.text)") }
    extra.remember = choice
    if choice != nil { endGrants() }
    _ = try send(
      .change(presentation.id, Verbs.Answer(.button(button), extra), generation: presentation.generation, by: person))
    if choice != nil { given += 1 }
  }

  /// Ends the grants whose process is gone, as the daemon does before it remembers another answer.
  private mutating func endGrants() {
    for grant in surfaces.standing.grants(at: now.boot) {
      guard let session = grant.condition.session, session.boot != boot || week.ends[session].map({ $0 < now.wall }) ?? true
      else {
        continue
      }
      ended += 1
      _ = try? send(.revoke(grant.id, by: nil, because: .processGone, isAdmin: true))
    }
  }
}

extension PresentationOutcome {
  fileprivate static let allowed = Self.answered(.button("allow"))
}

struct Problem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
