import OrderedCollections

extension PresentationCoordinator {
  /// What is open, by surface, in the order in which it will be shown.
  public func presentations(
    surface: String? = nil, where isWanted: (Presentation) -> Bool = { _ in true }
  ) -> [Presentation] {
    let entries = Dictionary(grouping: committed.values, by: \.request.surface).filter { surface == nil || $0.key == surface }
    return entries.sorted { $0.key < $1.key }.flatMap { _, entries in
      let queue = PresentationQueue(stackDepth: 1, entries: entries, isPaused: true)
      let positions = queue.positions
      return queue.ordered.compactMap { queue.entry($0)?.presentation }.filter(isWanted).map { presentation in
        var presentation = presentation
        presentation.position = positions[presentation.id] ?? 0
        return presentation
      }
    }
  }

  /// One presentation, open or ended; `nil` if there is none.
  public func presentation(_ id: PresentationID) async throws -> Presentation? {
    if let presentation = openPresentation(id) { return presentation }
    return try await reader.presentation(id)
  }

  package func openPresentation(_ id: PresentationID) -> Presentation? {
    committed[id].map { snapshot($0.presentation) }
  }

  /// How long it takes until an open presentation expires if nothing happens to it; `nil` if it does not, or has ended.
  package func timeLeft(of id: PresentationID) -> Duration? {
    committed[id]?.expiry.map { max(.zero, $0 - clock.now()) }
  }

  /// The surfaces that have something open or somebody who shows, by name.
  package var surfaceStates: [SurfaceState] {
    let presenters = screens.presenters
    let entries = Dictionary(grouping: committed.values, by: \.request.surface)
    return Set(entries.keys).union(presenters.keys).sorted().map { name in
      let open = entries[name] ?? []
      let stack = open.filter(\.isShown).sorted { $0.presentation.level < $1.presentation.level }
      return SurfaceState(
        name: name, presented: stack.map(\.id), waiting: open.count - stack.count,
        presenters: presenters[name]?.values.map(\.attached) ?? [])
    }
  }

  /// How many are open.
  public var openCount: Int { committed.count }

  /// Whether the log can be written, as far as is known.
  public var isWritable: Bool {
    switch phase {
    case .running, .shuttingDown: true
    case .unwritable, .recovering, .stopped: false
    }
  }

  /// Records a denial: what was attempted, such as a method and a path, the missing role or the rule that forbids it, and how
  /// many denials like it were not recorded before it.
  package nonisolated func deny(
    _ process: ProcessIdentity, what: String, because reason: String, on presentation: PresentationID? = nil,
    unrecorded: Int = 0
  ) {
    let denied = Event.AccessDenied(
      by: Resolver(process: process), what: what, reason: reason, unrecorded: unrecorded)
    send { $0.note(Event(at: $0.clock.wall(), presentation: presentation, .accessDenied(denied))) }
  }

  /// Records that a link to the page was made for another user's browser. Returns when that is on record.
  package func recordPageLink(for uid: UInt32, by process: ProcessIdentity) async throws(RouterError) {
    if let unavailable { throw unavailable }
    let link = Event.PageLinkIssued(by: Resolver(process: process), uid: uid)
    let result = await withCheckedContinuation { continuation in
      submit([Event(at: clock.wall(), .pageLinkIssued(link))], at: clock.now()) { continuation.resume(returning: $1) }
    }
    try result.get()
  }

  /// Goes once through the coordinator's thread and the one that writes the log, and returns when it has come out at the end:
  /// a daemon in which that happens is alive. What the log says does not matter, so that it returns on a full disk too.
  package nonisolated func turn() async {
    await withCheckedContinuation { continuation in
      send { $0.log.turn { continuation.resume() } }
    }
  }
}

package struct SurfaceState: Sendable, Hashable {
  package let name: String
  /// The stack, the bottom first.
  package let presented: [PresentationID]
  package let waiting: Int
  package let presenters: [AttachedPresenter]

  package var json: JSONValue {
    [
      "name": .string(name), "presented": .array(presented.map { .string($0.description) }),
      "waiting": .integer(waiting), "presenters": .array(presenters.map(\.json)),
    ]
  }
}
