extension PresentationCoordinator {
  /// What is open, by surface, in the order in which it will be shown; as it is on record.
  public func presentations(
    surface: String? = nil, where isWanted: (Presentation) -> Bool = { _ in true }
  ) -> [Presentation] {
    let queues = (surface.map { [$0] } ?? surfaces.names).compactMap { surfaces.queue($0) }
    return queues.flatMap { queue in
      let positions = queue.positions
      return queue.ordered.compactMap { open[$0]?.recorded?.presentation }.filter(isWanted).map { presentation in
        var presentation = presentation
        presentation.position = presentation.state == .queued ? positions[presentation.id] ?? 0 : 0
        return presentation
      }
    }
  }

  /// One presentation, open or ended; `nil` if there is none.
  public func presentation(_ id: PresentationID) async throws -> Presentation? {
    if let presentation = open[id]?.recorded?.presentation { return snapshot(presentation) }
    return try await reader.presentation(id)
  }

  /// The surfaces that have something open or somebody who shows.
  public var surfaceStates: [SurfaceState] {
    surfaces.names.map { name in
      let queue = surfaces.queue(name)
      return SurfaceState(
        name: name, presented: queue?.stack ?? [], waiting: queue?.waitingCount ?? 0,
        presenters: presenters(on: name).map {
          SurfaceState.Presenter(name: $0.name, uid: $0.process.uid, since: $0.since)
        })
    }
  }

  /// How many are open.
  public var openCount: Int { surfaces.count }

  /// Whether the log can be written, as far as is known.
  public var isWritable: Bool {
    switch phase {
    case .running, .shuttingDown: true
    case .unwritable, .recovering, .stopped: false
    }
  }
}

/// What a surface has before the person and behind it.
public struct SurfaceState: Sendable, Hashable {
  public struct Presenter: Sendable, Hashable {
    public let name: String
    public let uid: UInt32
    public let since: Timestamp
  }

  public let name: String
  /// The stack, the bottom first.
  public let presented: [PresentationID]
  public let waiting: Int
  public let presenters: [Presenter]

  /// The surface as http-api has it.
  public var json: JSONValue {
    [
      "name": .string(name), "presented": .array(presented.map { .string($0.description) }),
      "waiting": .integer(waiting),
      "presenters": .array(
        presenters.map {
          ["name": .string($0.name), "uid": .integer(Int($0.uid)), "since": .string($0.since.description)]
        }),
    ]
  }
}
