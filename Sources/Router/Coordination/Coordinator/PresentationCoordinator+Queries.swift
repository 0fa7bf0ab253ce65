package import OrderedCollections

extension PresentationCoordinator {
  /// Returns the open presentations in display order. See ``PresentationBroker/presentations(surface:)``.
  public func presentations(surface: String? = nil) -> [Presentation] {
    committed.surfaces.filter { surface == nil || $0.key == surface }.sorted { $0.key < $1.key }.flatMap { _, open in
      let positions = open.positions
      return open.ordered.compactMap { open[$0]?.presentation }.map { presentation in
        var presentation = presentation
        presentation.position = positions[presentation.id] ?? 0
        return presentation
      }
    }
  }

  /// Returns the wanted presentations with the lowest ids, each with a key that sorts those of a surface in display order.
  ///
  /// - Parameters:
  ///   - cursor: The presentation before the first one; `nil` to begin with the lowest.
  ///   - limit: The maximum number of presentations.
  package func presentations(
    after cursor: PresentationID?, limit: Int, where isWanted: (Presentation) -> Bool
  ) -> [(presentation: Presentation, orderKey: [Int])] {
    let first = cursor.map { cursor in committed.ids.partitioningIndex { $0 > cursor } } ?? 0
    var found: [(presentation: Presentation, orderKey: [Int])] = []
    for id in committed.ids[first...] {
      guard found.count < limit else { break }
      guard let presentation = committed[id]?.presentation, isWanted(presentation) else { continue }
      let orderKey = committed.surfaces[presentation.request.surface]?.orderKey(of: id)
      found.append((snapshot(presentation), orderKey ?? []))
    }
    return found
  }

  /// Returns an open or ended presentation. See ``PresentationBroker/presentation(_:)``.
  public func presentation(_ id: PresentationID) async throws -> Presentation {
    guard let presentation = try await find(id) else {
      throw RouterError(.notFound, "cannot find the prompt \(id)")
    }
    return presentation
  }

  private func find(_ id: PresentationID) async throws -> Presentation? {
    if let presentation = openPresentation(id) { return presentation }
    return try await reader.presentation(id)
  }

  package func openPresentation(_ id: PresentationID) -> Presentation? {
    committed[id].map { snapshot($0.presentation) }
  }

  /// Reads the results of presentations that were answered together: `answered`, `resolved` if they had ended before, or
  /// `changed` if they were skipped for another reason.
  package func fates(
    of ids: [PresentationID], with first: PresentationID,
    then body: @escaping @Sendable (Result<OrderedDictionary<String, String>, RouterError>) -> Void
  ) {
    // Ends after the queries.
    Task(executorPreference: executor) {
      let result: Result<OrderedDictionary<String, String>, RouterError>
      do {
        var fates: OrderedDictionary<String, String> = [:]
        for id in ids {
          let other = try await self.find(id)
          let isOpen = other.map { $0.state != .resolved } ?? false
          fates[id.description] = other?.because == .with(first) ? "answered" : isOpen ? "changed" : "resolved"
        }
        result = .success(fates)
      } catch {
        result = .failure(RouterError(reading: error))
      }
      self.send { _ in body(result) }
    }
  }

  /// Returns the time until an open presentation expires; `nil` if it does not expire or has ended.
  package func timeLeft(of id: PresentationID) -> Duration? {
    committed[id]?.expiry.map { max(.zero, $0 - clock.now()) }
  }

  /// The surfaces with an open presentation, a presenter or a paused session, by name.
  package var surfaceStates: [SurfaceState] {
    let presenters = screens.presenters
    let pauses = Dictionary(grouping: pauses, by: \.surface)
    return Set(committed.surfaces.keys).union(presenters.keys).union(pauses.keys).sorted().map { name in
      let open = committed.surfaces[name]
      return SurfaceState(
        name: name, presented: open?.stack ?? [], waiting: open?.waitingCount ?? 0,
        presenters: presenters[name]?.values.map(\.attached) ?? [], pauses: pauses[name] ?? [])
    }
  }

  /// The number of open presentations.
  public var openCount: Int { committed.count }

  /// Whether nothing is open, and no callback is pending.
  package var isIdle: Bool { openCount == 0 && callbacks.isIdle }

  /// Whether the log was writable at the last attempt.
  public var isWritable: Bool { !isStopped && decider.status.isWritable }

  /// Records a denial.
  ///
  /// - Parameters:
  ///   - what: The attempted action, such as a method and a path.
  ///   - reason: The missing role or the rule that forbids it.
  ///   - unrecorded: The number of similar denials omitted before it.
  package nonisolated func deny(
    _ process: ProcessIdentity, what: String, because reason: String, on presentation: PresentationID? = nil,
    unrecorded: Int = 0
  ) {
    let denied = Event.AccessDenied(
      by: Presentation.Responder(process: process), what: what, reason: reason, unrecorded: unrecorded)
    send { $0.record(Event(at: $0.clock.wall(), presentation: presentation, .accessDenied(denied))) }
  }

  /// Records that a link to the page was created for another user's browser. Returns once the event is recorded.
  package func recordPageLink(for uid: UInt32, by process: ProcessIdentity) async throws(RouterError) {
    if let unavailable { throw unavailable }
    let link = Event.PageLinkIssued(by: Presentation.Responder(process: process), uid: uid)
    record(Event(at: clock.wall(), .pageLinkIssued(link)))
    let result = await withCheckedContinuation { continuation in
      decide(.flush) { continuation.resume(returning: $1) }
    }
    _ = try result.get()
  }

  /// Passes once through the coordinator's executor and the log's thread, to check that the daemon is alive. Also
  /// returns if the log is unwritable.
  package nonisolated func roundTrip() async {
    await withCheckedContinuation { continuation in
      send { $0.log.afterCommits { continuation.resume() } }
    }
  }
}
