import RouterTesting

@testable import Router

/// What the random test does next.
enum Step {
  case event(PresentationEvent)
  /// Time passes, and what is due ends, unless somebody forgot to look.
  case wait(until: Duration, expires: Bool)
  case pause
  case resume
  /// The next `decisions` decisions will be taken back.
  case mark(decisions: Int)
  case restart
}

/// Thinks up steps that are likely to matter in the state that the model is in.
struct StepGenerator {
  static let surfaces = ["main", "side"]
  private static let resolver = Resolver(process: ProcessIdentity(uid: 7, gid: 7, pid: 7), presenter: "test")

  var random: SplitMix64
  private var lastNumber = 0
  /// Ids that were open once, for those who come too late.
  private var asked: [PresentationID] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Small, so that they are met.
  mutating func limits() -> PresentationSurfaces.Limits {
    PresentationSurfaces.Limits(
      perSurface: 3 + random.below(5), perUser: 3 + random.below(5), total: 5 + random.below(6),
      stackDepth: 1 + random.below(3))
  }

  mutating func next(in model: NaiveModel, at now: Duration) -> Step {
    switch random.below(100) {
    case 0..<36: request(in: model)
    case 36..<53: act(in: model)
    case 53..<57: finish(in: model)
    case 57..<60: .event(.cancel(id(in: model), reason: reason(), by: resolver()))
    case 60..<63: claim(in: model)
    case 63..<68: .event(.attach(presenter(), surface: surface()))
    case 68..<73: .event(.detach(presenter(), surface: surface()))
    case 73..<91: wait(in: model, at: now)
    case 91..<93: .pause
    case 93..<96: .resume
    case 96..<99: .mark(decisions: 1 + random.below(5))
    default: .restart
    }
  }

  private mutating func request(in model: NaiveModel) -> Step {
    lastNumber += 1
    let id = PresentationID(number: lastNumber)
    var ticket = PresentationTicket(id: id, uid: UInt32(random.below(3)))
    var surface = surface()
    ticket.isAdmin = random.chance(5)
    ticket.priority = random.pick([.low, .normal, .normal, .normal, .high, .critical])
    ticket.conflictPolicy = random.pick([.enqueue, .enqueue, .enqueue, .enqueue, .cancelPrevious, .cancelNew])
    if random.chance(20) { ticket.noPresenter = .fail }
    ticket.timeout = timeout()
    ticket.queueTimeout = timeout()
    ticket.shownTimeout = timeout()
    ticket.flow = random.chance(35)
    if random.chance(ticket.flow ? 70 : 40) {
      let flows = model.items.filter(\.ticket.flow)
      let parent = ticket.flow && !flows.isEmpty && random.chance(85) ? random.pick(flows).id : self.id(in: model)
      ticket.over = parent
      if let below = model.item(parent) {
        if random.chance(85) { ticket.uid = below.ticket.uid }
        if random.chance(92) { surface = below.surface }
      }
    }
    asked.append(id)
    return .event(.request(ticket, surface: surface))
  }

  /// A presenter's act: mostly on what is before the person, mostly on the present showing.
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
    return switch random.below(4) {
    case 0, 1: .event(.answer(id, generation: generation, .button("b\(random.below(2))"), by: resolver()))
    case 2: .event(.dismiss(id, generation: generation, by: resolver()))
    default: .event(.fail(id, generation: generation, detail: "cannot open the display", by: resolver()))
    }
  }

  /// Mostly of a flow that was answered.
  private mutating func finish(in model: NaiveModel) -> Step {
    let answered = model.items.filter { $0.lastAnswer != nil }
    let id = !answered.isEmpty && random.chance(75) ? random.pick(answered).id : id(in: model)
    return .event(.finish(id, by: resolver()))
  }

  /// Mostly of what is held.
  private mutating func claim(in model: NaiveModel) -> Step {
    let held = model.items.filter { $0.heldUntil != nil }
    return .event(.claim(!held.isEmpty && random.chance(80) ? random.pick(held).id : id(in: model)))
  }

  private mutating func wait(in model: NaiveModel, at now: Duration) -> Step {
    let due = model.nextDeadline.map { max(now, $0) }
    let until = due != nil && random.chance(55) ? due! : now + .seconds(random.below(4))
    return .wait(until: until, expires: random.chance(85))
  }

  /// Mostly an open one, sometimes one that has ended, sometimes one that never was.
  private mutating func id(in model: NaiveModel) -> PresentationID {
    if !model.items.isEmpty, random.chance(88) { return random.pick(model.items).id }
    if !asked.isEmpty, random.chance(80) { return random.pick(asked) }
    return PresentationID(number: 1_000_000)
  }

  private mutating func timeout() -> Duration? {
    random.chance(30) ? .seconds(random.below(9)) : nil
  }

  private mutating func surface() -> String { random.chance(70) ? Self.surfaces[0] : Self.surfaces[1] }
  private mutating func presenter() -> PresenterID { PresenterID(1 + random.below(3)) }
  private mutating func resolver() -> Resolver? { random.chance(50) ? Self.resolver : nil }
  private mutating func reason() -> CancellationReason { random.pick([.requester, .requesterGone, .admin]) }
}
