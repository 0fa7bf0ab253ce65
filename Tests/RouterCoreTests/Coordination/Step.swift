import RouterCore
import TestSupport

/// A step of the random test.
enum Step {
  case input(PresentationInput)
  /// Advances the time and, if `expires`, expires overdue presentations.
  case wait(until: Duration, expires: Bool)
  case pause
  case resume
  /// The next `decisions` decisions will be reverted.
  case mark(decisions: Int)
  /// Restarts the coordinator after a downtime, with a boot clock ahead by `bootOffset`.
  case restart(downtime: Duration, grace: Duration, bootOffset: Duration)
}

/// Generates steps that are likely to matter in the model's state.
struct StepGenerator {
  static let surfaces = ["main", "side"]
  private static let presenter = Presentation.Responder(process: ProcessIdentity(uid: 7, gid: 7, pid: 7), presenter: "test")
  private static let buttons = [
    PresentationRequest.Button(id: "b0", label: "No"), PresentationRequest.Button(id: "b1", label: "Yes"),
  ]

  var random: SplitMix64
  private var lastNumber = 0
  /// The last presenter of one presentation; the others have lower numbers.
  private var lastSeat = 10
  /// Ids used so far, for inputs that come too late.
  private var asked: [PresentationID] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Returns limits small enough to be reached.
  mutating func limits() -> Presentation.Limits {
    Presentation.Limits(
      perSurface: 3 + random.below(9), perUser: 3 + random.below(7), total: 5 + random.below(9),
      stackDepth: 1 + random.below(3), bytesPerUser: 400 + random.below(1600))
  }

  mutating func next(in model: NaiveModel, at now: Duration) -> Step {
    switch random.below(100) {
    case 0..<34: request(in: model)
    case 34: .input(.change(id(in: model), Verbs.PauseSession(for: .seconds(9 + random.below(30))), by: Self.presenter))
    case 35: .input(.endPause(paused(in: model), by: Self.presenter))
    case 36..<50: act(in: model)
    case 50: .input(.change(snoozed(in: model), Verbs.Wake(), by: Self.presenter))
    case 51: .input(.change(id(in: model), Verbs.Raise(), by: Self.presenter))
    case 52..<56: finish(in: model)
    case 56..<59: cancel(in: model)
    case 59..<61: .input(.change(id(in: model), Verbs.RequesterGone(random.pick([.requester, .requesterGone]))))
    case 61..<63: .input(.change(id(in: model), Verbs.Detach()))
    case 63..<66: claim(in: model)
    case 66..<69: attach()
    case 69..<72: attachToOne(in: model)
    case 72..<76: detach(in: model)
    case 76..<91: wait(in: model, at: now)
    case 91..<93: .pause
    case 93..<95: .resume
    case 95:
      .input(.turn(isOff: random.chance(70), for: random.chance(70) ? .seconds(9 + random.below(20)) : nil, by: Self.presenter))
    case 96..<98: .mark(decisions: 1 + random.below(5))
    default: restart()
    }
  }

  mutating func attach() -> Step {
    let presenter = presenter()
    var identity = PresenterIdentity(presenter.number)
    // Always the same one, because it may attach twice.
    if presenter.number == 3 { identity.scope.priority = .high }
    return .input(.presenterAttached(presenter, identity, surface: surface()))
  }

  /// A presenter of one presentation, mostly its own user's.
  private mutating func attachToOne(in model: NaiveModel) -> Step {
    lastSeat += 1
    var identity = PresenterIdentity(lastSeat)
    let id = id(in: model)
    identity.scope.only = id
    identity.process.uid = random.chance(90) ? model.item(id)?.ask.uid ?? 1 : UInt32(random.below(3))
    let surface = random.chance(90) ? model.item(id)?.surface ?? surface() : surface()
    return .input(.presenterAttached(PresenterID(lastSeat), identity, surface: surface))
  }

  private mutating func detach(in model: NaiveModel) -> Step {
    guard !model.attachments.isEmpty, random.chance(60) else {
      return .input(.presenterDetached(presenter(), surface: surface()))
    }
    let attachment = random.pick(model.attachments)
    return .input(.presenterDetached(attachment.presenter, surface: attachment.surface))
  }

  private mutating func restart() -> Step {
    .restart(
      downtime: .seconds(random.below(4)), grace: .milliseconds(500 * random.below(7)),
      bootOffset: .seconds(random.below(100) - 50))
  }

  private mutating func request(in model: NaiveModel) -> Step {
    lastNumber += 1
    let id = PresentationID(number: lastNumber)
    var ask = PresentationAsk(id, uid: UInt32(random.below(3)), surface: surface())
    ask.isAdmin = random.chance(5)
    ask.mayBeCritical = random.chance(90)
    ask.attached = random.chance(70)
    var draft = ask.request
    draft.buttons = Self.buttons
    draft.priority = random.pick([.low, .normal, .normal, .normal, .high, .critical])
    draft.conflictPolicy = random.pick([.enqueue, .enqueue, .enqueue, .enqueue, .cancelPrevious, .cancelNew])
    if random.chance(20) { draft.noPresenter = random.pick([.fail, .fail, .waitUnlessOff]) }
    draft.timeout = timeout()
    draft.queueTimeout = timeout()
    draft.shownTimeout = timeout()
    draft.flow = random.chance(35)
    if draft.flow || random.chance(40) {
      draft.kind = .sheet
      draft.title = nil
      draft.buttons = []
    }
    draft.sensitive = random.chance(10)
    // Refused without buttons, since the test's sheets have no schema.
    draft.dismissDisabled = random.chance(draft.kind.hasButtons ? 25 : 1)
    // Rarely detach requests that cannot be detached.
    if draft.flow || draft.sensitive, random.chance(95) { ask.attached = true }
    if random.chance(30) { ask.useKey("k\(random.below(8))", hash: UInt8(random.chance(90) ? 1 : 2)) }
    if random.chance(1) { ask.throttled = .init(.seconds(3), .dismissals(3)) }
    if random.chance(1) { draft.title = nil }
    if random.chance(draft.flow ? 70 : 40) {
      let flows = model.items.filter(\.request.flow)
      let parent = draft.flow && !flows.isEmpty && random.chance(85) ? random.pick(flows).id : self.id(in: model)
      draft.over = parent
      if let below = model.item(parent) {
        if random.chance(85) { ask.requester.process.uid = below.ask.uid }
        if random.chance(92) { draft.surface = below.surface }
      }
    }
    ask.draft = draft
    asked.append(id)
    return .input(.request(ask))
  }

  /// Cancels, mostly as the owner.
  private mutating func cancel(in model: NaiveModel) -> Step {
    let id = id(in: model)
    return .input(.change(id, Verbs.Cancel(), by: caller(for: id, in: model), isAdmin: random.chance(20)))
  }

  /// A presenter's action, mostly on the top presentation and the current generation.
  private mutating func act(in model: NaiveModel) -> Step {
    let tops = model.items.filter(\.isOnTop)
    let id = !tops.isEmpty && random.chance(65) ? random.pick(tops).id : id(in: model)
    let present = model.item(id)?.generation ?? 1
    let generation: Int? =
      switch random.below(10) {
      case 0..<5: present
      case 5..<7: nil
      case 7..<9: max(0, present - 1)
      default: present + 1
      }
    return switch random.below(5) {
    case 4: .input(.change(id, Verbs.Snooze(for: .seconds(9 + random.below(4))), generation: generation, by: resolver()))
    case 0, 1:
      .input(
        .change(
          id,
          Verbs.Answer(answer(to: model.item(id)), AnswerExtra(comment: comment())), generation: generation, by: resolver()))
    case 2: .input(.change(id, Verbs.Dismiss(comment: comment()), generation: generation, by: resolver()))
    default:
      .input(.change(id, Verbs.Fail("cannot open the display"), generation: generation, by: presenter(in: model) ?? resolver()))
    }
  }

  /// A presentation at which a session was paused, mostly.
  private mutating func paused(in model: NaiveModel) -> PresentationID {
    !model.pauses.isEmpty && random.chance(80) ? random.pick(model.pauses).id : id(in: model)
  }

  /// A snoozed presentation, mostly.
  private mutating func snoozed(in model: NaiveModel) -> PresentationID {
    let snoozed = model.items.filter { $0.snoozedUntil != nil }
    return !snoozed.isEmpty && random.chance(80) ? random.pick(snoozed).id : id(in: model)
  }

  /// A person's comment, rarely an invalid one.
  private mutating func comment() -> String? {
    random.chance(20) ? random.pick(["use trash", "not now\nlater", random.chance(20) ? "\u{202E}" : "no"]) : nil
  }

  /// Finishes, mostly an answered flow.
  private mutating func finish(in model: NaiveModel) -> Step {
    let answered = model.items.filter { $0.lastAnswer != nil }
    let id = !answered.isEmpty && random.chance(75) ? random.pick(answered).id : id(in: model)
    return .input(.change(id, Verbs.Finish(), by: caller(for: id, in: model), isAdmin: random.chance(10)))
  }

  /// Claims, mostly a held presentation.
  private mutating func claim(in model: NaiveModel) -> Step {
    let held = model.items.filter { $0.heldUntil != nil }
    return .input(.change(!held.isEmpty && random.chance(80) ? random.pick(held).id : id(in: model), Verbs.Claim()))
  }

  private mutating func wait(in model: NaiveModel, at now: Duration) -> Step {
    let due = model.nextDeadline.map { max(now, $0) }
    let until = due != nil && random.chance(55) ? due! : now + .seconds(random.below(4))
    return .wait(until: until, expires: random.chance(85))
  }

  /// Returns an id, mostly an open one, sometimes an ended or unknown one.
  private mutating func id(in model: NaiveModel) -> PresentationID {
    if !model.items.isEmpty, random.chance(88) { return random.pick(model.items).id }
    if !asked.isEmpty, random.chance(80) { return random.pick(asked) }
    return PresentationID(number: 1_000_000)
  }

  /// Returns an answer, mostly a valid one.
  private mutating func answer(to item: NaiveModel.Item?) -> PresentationAnswer {
    switch random.below(20) {
    case 0: return .redacted
    case 1: return .button("b2")
    default: break
    }
    let hasButtons = item?.request.kind.hasButtons ?? true
    let choice = "b\(random.below(2))"
    return hasButtons == random.chance(95) ? .button(choice) : .value(.string(choice))
  }

  private mutating func caller(for id: PresentationID, in model: NaiveModel) -> Presentation.Responder {
    let owner = model.item(id)?.ask.uid
    return .user(random.chance(80) ? owner ?? 0 : UInt32(random.below(3)))
  }

  private mutating func timeout() -> Duration? {
    random.chance(30) ? .seconds(1 + random.below(random.chance(30) ? 30 : 8)) : nil
  }

  /// An attached presenter, mostly.
  private mutating func presenter(in model: NaiveModel) -> Presentation.Responder? {
    guard !model.attachments.isEmpty, random.chance(80) else { return nil }
    let identity = random.pick(model.attachments).identity
    return Presentation.Responder(process: identity.process, presenter: identity.name)
  }

  private mutating func surface() -> String { random.chance(70) ? Self.surfaces[0] : Self.surfaces[1] }
  private mutating func presenter() -> PresenterID { PresenterID(1 + random.below(3)) }
  private mutating func resolver() -> Presentation.Responder? { random.chance(50) ? Self.presenter : nil }
}
