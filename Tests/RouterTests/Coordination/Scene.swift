@testable import Router

/// Surfaces for tests that are read: presentations have one-letter names, `a` before `b`, and changes are sentences.
struct Scene {
  var surfaces: PresentationSurfaces
  var now = Duration.zero
  /// Everything on record.
  private(set) var events: [Event] = []
  /// What is open on record.
  private var committed: [PresentationID: PresentationQueue.Entry] = [:]
  /// What was decided and will not be recorded; `nil` while all is.
  private var lost: [Event]?

  var moment: Moment { Moment(now) }

  /// - Parameter presenters: The presenters attached to `main` to begin with.
  init(presenters: Int = 1, limits: PresentationSurfaces.Limits = PresentationSurfaces.Limits()) {
    surfaces = PresentationSurfaces(limits: limits)
    for number in 0..<presenters { _ = attach(number + 1) }
  }

  // MARK: What happens

  @discardableResult mutating func ask(
    _ name: Character, on surface: String = "main", over parent: Character? = nil, uid: UInt32 = 1,
    _ fill: (inout PresentationAsk) -> Void = { _ in }
  ) throws(PresentationRejection) -> [String] {
    var ask = PresentationAsk(
      PresentationID(name: name), uid: uid, over: parent.map { PresentationID(name: $0) }, surface: surface)
    fill(&ask)
    return try handle(.request(ask))
  }

  /// Asks for a flow, or for a screen of one.
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
    return try handle(.answer(id, generation: generation, answer ?? fitting, by: nil))
  }

  @discardableResult mutating func finish(
    _ name: Character, uid: UInt32 = 1, isAdmin: Bool = false
  ) throws(PresentationRejection) -> [String] {
    try handle(.finish(PresentationID(name: name), by: .user(uid), isAdmin: isAdmin))
  }

  @discardableResult mutating func dismiss(
    _ name: Character, generation: Int? = nil
  ) throws(PresentationRejection) -> [String] {
    try handle(.dismiss(PresentationID(name: name), generation: generation, by: nil))
  }

  @discardableResult mutating func cancel(
    _ name: Character, uid: UInt32 = 1, isAdmin: Bool = false
  ) throws(PresentationRejection) -> [String] {
    try handle(.cancel(PresentationID(name: name), by: .user(uid), isAdmin: isAdmin))
  }

  @discardableResult mutating func claim(_ name: Character) throws(PresentationRejection) -> [String] {
    try handle(.claim(PresentationID(name: name)))
  }

  @discardableResult mutating func attach(_ number: Int, to surface: String = "main") -> [String] {
    (try? handle(.presenterAttached(PresenterID(number), PresenterIdentity(number), surface: surface))) ?? ["rejected"]
  }

  @discardableResult mutating func detach(_ number: Int, from surface: String = "main") -> [String] {
    (try? handle(.presenterDetached(PresenterID(number), surface: surface))) ?? ["rejected"]
  }

  /// Lets time pass, and ends what is due then.
  @discardableResult mutating func wait(_ time: Duration) -> [String] {
    now += time
    return note(surfaces.expire(at: moment))
  }

  @discardableResult mutating func wait(_ seconds: Int) -> [String] {
    wait(.seconds(seconds))
  }

  mutating func pause() {
    surfaces.pause()
  }

  @discardableResult mutating func resume() -> [String] {
    note(surfaces.resume(at: moment))
  }

  @discardableResult mutating func handle(_ input: PresentationInput) throws(PresentationRejection) -> [String] {
    note(try surfaces.handle(input, at: moment))
  }

  /// The coordinator goes down, and another one takes in what is open after a while.
  ///
  /// - Parameter bootOffset: What the boot clock of the next one is ahead by, as after a reboot.
  @discardableResult mutating func restart(
    after downtime: Duration = .zero, grace: Duration = .seconds(10), bootOffset: Duration = .zero
  ) -> [String] {
    let open = surfaces.entries.map(\.presentation)
    let lastNumber = open.map(\.number).max() ?? 0
    now += downtime
    let today = moment.wall
    now += bootOffset
    surfaces = PresentationSurfaces(limits: surfaces.limits)
    let events = surfaces.restart(
      open, lastNumber: lastNumber, at: Moment(boot: now, wall: today), today: today, grace: grace)
    committed = Dictionary(uniqueKeysWithValues: surfaces.entries.map { ($0.id, $0) })
    return events.sentences
  }

  /// Lets decisions be made that cannot be recorded, and goes back to what is on record.
  mutating func losing(_ body: (inout Scene) throws -> Void) rethrows {
    let presenters = surfaces.queues.mapValues(\.presenters)
    lost = []
    try body(&self)
    let events = lost ?? []
    lost = nil
    committed.skipGenerations(of: events)
    surfaces.rebuild(
      Array(committed.values), presenters: presenters, lost: Set(events.compactMap(\.presentation)))
  }

  private mutating func note(_ events: [Event]) -> [String] {
    if lost == nil {
      self.events += events
      committed.commit(events, at: now)
    } else {
      lost! += events
    }
    return events.sentences
  }

  // MARK: What is seen

  /// The stack, the bottom first.
  func stack(on surface: String = "main") -> String {
    String((surfaces.queue(surface)?.stack ?? []).map(\.name))
  }

  /// Everything open, in the order in which it will be shown.
  func ordered(on surface: String = "main") -> String {
    String((surfaces.queue(surface)?.ordered ?? []).map(\.name))
  }

  func position(of name: Character) -> Int {
    surfaces.position(of: PresentationID(name: name))
  }
}

extension PresentationSurfaces {
  /// Everything open, by surface.
  var entries: [PresentationQueue.Entry] {
    names.flatMap { name in queues[name]!.ordered.map { queues[name]!.entry($0)! } }
  }
}
