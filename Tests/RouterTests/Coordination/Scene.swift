@testable import Router

/// Surfaces for tests that are read: presentations have one-letter names, `a` before `b`, and changes are sentences.
struct Scene {
  var surfaces: PresentationSurfaces
  var now = Duration.zero

  /// - Parameter presenters: The presenters attached to `main` to begin with.
  init(presenters: Int = 1, limits: PresentationSurfaces.Limits = PresentationSurfaces.Limits()) {
    surfaces = PresentationSurfaces(limits: limits)
    for number in 0..<presenters { _ = attach(number + 1) }
  }

  // MARK: What happens

  @discardableResult mutating func ask(
    _ name: Character, on surface: String = "main", over parent: Character? = nil, uid: UInt32 = 1,
    _ fill: (inout PresentationTicket) -> Void = { _ in }
  ) throws(PresentationRejection) -> [String] {
    var ticket = PresentationTicket(id: PresentationID(name: name), uid: uid, over: parent.map { PresentationID(name: $0) })
    fill(&ticket)
    return try handle(.request(ticket, surface: surface))
  }

  /// Asks for a flow, or for a screen of one.
  @discardableResult mutating func askFlow(
    _ name: Character, over parent: Character? = nil, _ fill: (inout PresentationTicket) -> Void = { _ in }
  ) throws(PresentationRejection) -> [String] {
    try ask(name, over: parent) {
      $0.flow = true
      fill(&$0)
    }
  }

  @discardableResult mutating func answer(
    _ name: Character, generation: Int? = nil
  ) throws(PresentationRejection) -> [String] {
    try handle(.answer(PresentationID(name: name), generation: generation, .button("ok"), by: nil))
  }

  @discardableResult mutating func finish(_ name: Character) throws(PresentationRejection) -> [String] {
    try handle(.finish(PresentationID(name: name), by: nil))
  }

  @discardableResult mutating func dismiss(
    _ name: Character, generation: Int? = nil
  ) throws(PresentationRejection) -> [String] {
    try handle(.dismiss(PresentationID(name: name), generation: generation, by: nil))
  }

  @discardableResult mutating func cancel(_ name: Character) throws(PresentationRejection) -> [String] {
    try handle(.cancel(PresentationID(name: name), reason: .requester, by: nil))
  }

  @discardableResult mutating func attach(_ number: Int, to surface: String = "main") -> [String] {
    (try? handle(.attach(PresenterID(number), surface: surface))) ?? ["rejected"]
  }

  @discardableResult mutating func detach(_ number: Int, from surface: String = "main") -> [String] {
    (try? handle(.detach(PresenterID(number), surface: surface))) ?? ["rejected"]
  }

  /// Lets time pass, and ends what is due then.
  @discardableResult mutating func wait(_ seconds: Int) -> [String] {
    now += .seconds(seconds)
    return surfaces.expire(at: now).flatMap { $0.changes.map(\.sentence) }
  }

  mutating func pause() {
    surfaces.pause()
  }

  @discardableResult mutating func resume() -> [String] {
    surfaces.resume(at: now).flatMap { $0.changes.map(\.sentence) }
  }

  @discardableResult mutating func handle(_ event: PresentationEvent) throws(PresentationRejection) -> [String] {
    try surfaces.handle(event, at: now).changes.map(\.sentence)
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

extension PresentationChange {
  /// The change in words, such as `a cancelled/busy`; `a answered on 1` stays, `a answered` does not.
  var sentence: String {
    switch self {
    case .requested(let id, _): "\(id.name) requested"
    case .presented(let id, let generation, let level):
      "\(id.name) presented \(generation)" + (level == 0 ? "" : " on level \(level)")
    case .withdrawn(let id, let generation, let reason, _): "\(id.name) withdrawn \(generation) \(reason)"
    case .answered(let id, _, _, let generation): "\(id.name) answered on \(generation)"
    case .resolved(let id, let outcome, _, _):
      "\(id.name) \(outcome.name)" + (outcome.reason.map { "/" + $0 } ?? "")
    }
  }
}
