import TestSupport

@testable import RouterCore

/// Surfaces for readable tests: presentations have one-letter names, `a` before `b`, and changes are strings.
struct Scene {
  var surfaces: PresentationSurfaces
  var now = Duration.zero
  /// All recorded events.
  private(set) var events: [Event] = []
  private var committed = PresentationFold()
  /// Decisions that will not be recorded, or `nil` if all are recorded.
  private var lost: [Event]?

  var moment: Moment { Moment(now) }

  /// - Parameter presenters: The number of presenters initially attached to `main`.
  init(presenters: Int = 1, limits: Presentation.Limits = Presentation.Limits()) {
    surfaces = PresentationSurfaces(.init(limits: limits))
    for number in 0..<presenters { _ = attach(number + 1) }
  }

  // MARK: Inputs

  @discardableResult mutating func ask(
    _ name: Character, on surface: String = "main", over parent: Character? = nil, uid: UInt32 = 1,
    _ fill: (inout PresentationAsk) -> Void = { _ in }
  ) throws(PresentationRejection) -> [String] {
    var ask = PresentationAsk(
      PresentationID(name: name), uid: uid, over: parent.map { PresentationID(name: $0) }, surface: surface)
    fill(&ask)
    return try handle(.request(ask))
  }

  /// Requests a flow or, with a parent, one of its screens.
  @discardableResult mutating func askFlow(
    _ name: Character, over parent: Character? = nil, _ fill: (inout PresentationAsk) -> Void = { _ in }
  ) throws(PresentationRejection) -> [String] {
    try ask(name, over: parent) {
      $0.makeFlow()
      fill(&$0)
    }
  }

  @discardableResult mutating func answer(
    _ name: Character, generation: Int? = nil, with answer: PresentationAnswer? = nil
  ) throws(PresentationRejection) -> [String] {
    let id = PresentationID(name: name)
    let fitting = surfaces.entry(id)?.request.fittingAnswer ?? .button("ok")
    return try handle(.change(id, Verbs.Answer(answer ?? fitting), generation: generation))
  }

  @discardableResult mutating func finish(
    _ name: Character, uid: UInt32 = 1, isAdmin: Bool = false
  ) throws(PresentationRejection) -> [String] {
    try handle(.change(PresentationID(name: name), Verbs.Finish(), by: .user(uid), isAdmin: isAdmin))
  }

  @discardableResult mutating func dismiss(
    _ name: Character, generation: Int? = nil
  ) throws(PresentationRejection) -> [String] {
    try handle(.change(PresentationID(name: name), Verbs.Dismiss(), generation: generation))
  }

  @discardableResult mutating func fail(_ name: Character, by number: Int) throws(PresentationRejection) -> [String] {
    let presenter = PresenterIdentity(number).resolver
    return try handle(.change(PresentationID(name: name), Verbs.Fail("no display"), by: presenter))
  }

  @discardableResult mutating func cancel(
    _ name: Character, uid: UInt32 = 1, isAdmin: Bool = false
  ) throws(PresentationRejection) -> [String] {
    try handle(.change(PresentationID(name: name), Verbs.Cancel(), by: .user(uid), isAdmin: isAdmin))
  }

  @discardableResult mutating func claim(_ name: Character) throws(PresentationRejection) -> [String] {
    try handle(.change(PresentationID(name: name), Verbs.Claim()))
  }

  @discardableResult mutating func attach(
    _ number: Int, priority: PresentationOptions.Priority? = nil, to surface: String = "main"
  ) -> [String] {
    var identity = PresenterIdentity(number)
    identity.scope.priority = priority
    return (try? handle(.presenterAttached(PresenterID(number), identity, surface: surface))) ?? ["rejected"]
  }

  /// Attaches a presenter that may show one presentation only.
  @discardableResult mutating func attach(
    _ number: Int, only name: Character, uid: UInt32 = 1, to surface: String = "main"
  ) throws(PresentationRejection) -> [String] {
    var identity = PresenterIdentity(number)
    identity.scope.only = PresentationID(name: name)
    identity.process.uid = uid
    return try handle(.presenterAttached(PresenterID(number), identity, surface: surface))
  }

  @discardableResult mutating func detach(_ number: Int, from surface: String = "main") -> [String] {
    (try? handle(.presenterDetached(PresenterID(number), surface: surface))) ?? ["rejected"]
  }

  /// Advances the time and expires overdue presentations.
  @discardableResult mutating func wait(_ time: Duration) -> [String] {
    now += time
    return note(surfaces.expire(at: moment))
  }

  @discardableResult mutating func wait(_ seconds: Int) -> [String] {
    wait(.seconds(seconds))
  }

  mutating func pause() {
    surfaces.suspend()
  }

  @discardableResult mutating func resume() -> [String] {
    note(surfaces.resume(at: moment))
  }

  @discardableResult mutating func handle(_ input: PresentationInput) throws(PresentationRejection) -> [String] {
    if case .request(let ask) = input { return note(try surfaces.handle(.request(ask.checked()), at: moment)) }
    return note(try surfaces.handle(input, at: moment))
  }

  /// Restarts the coordinator with the open presentations after some downtime.
  ///
  /// - Parameter bootOffset: The offset of the next boot clock, as after a reboot.
  @discardableResult mutating func restart(
    after downtime: Duration = .zero, grace: Duration = .seconds(10), bootOffset: Duration = .zero
  ) -> [String] {
    let open = surfaces.entries.map(\.presentation)
    let lastNumber = open.map(\.number).max() ?? 0
    now += downtime
    let today = moment.wall
    now += bootOffset
    committed = PresentationFold(
      open.map { OpenPresentation($0, at: Moment(boot: now, wall: today)) }, lastNumber: lastNumber)
    var events: [Event] = []
    surfaces = PresentationSurfaces(
      surfaces.policy, restarting: committed, at: Moment(boot: now, wall: today), grace: grace, events: &events)
    committed.restart(holding: surfaces.held, with: events, at: Moment(boot: now, wall: today))
    return events.sentences
  }

  /// Makes decisions that cannot be recorded, then reverts to the committed state.
  mutating func losing(_ body: (inout Scene) throws -> Void) rethrows {
    let presenters = surfaces.seats
    lost = []
    try body(&self)
    let events = lost ?? []
    lost = nil
    committed.skip(events)
    surfaces = PresentationSurfaces(
      surfaces.policy, committed, presenters: presenters, isSuspended: surfaces.isSuspended,
      overtakingFrom: surfaces.overtakingFrom)
  }

  private mutating func note(_ events: [Event]) -> [String] {
    if lost == nil {
      self.events += events
      for event in events { _ = try? committed.apply(event, at: moment) }
    } else {
      lost! += events
    }
    return events.sentences
  }

  // MARK: Observable state

  /// The stack, bottom first.
  func stack(on surface: String = "main") -> String {
    String((surfaces.state.surfaces[surface]?.stack ?? []).map(\.name))
  }

  /// The open presentations in display order.
  func ordered(on surface: String = "main") -> String {
    String((surfaces.state.surfaces[surface]?.ordered ?? []).map(\.name))
  }

  func position(of name: Character) -> Int {
    surfaces.position(of: PresentationID(name: name))
  }
}

extension PresentationSurfaces {
  func position(of id: PresentationID) -> Int { state.position(of: id) }

  /// The open presentations by surface.
  var entries: [OpenPresentation] {
    names.flatMap { name in (state.surfaces[name]?.ordered ?? []).map { state[$0]! } }
  }
}
