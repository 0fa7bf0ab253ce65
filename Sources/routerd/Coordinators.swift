import Glibc
import Router

/// The coordinators of the daemon: one for this machine's surfaces, and one for each shared surface in use.
final class Coordinators: Sendable {
  /// A coordinator with its log.
  struct Keeper: Sendable {
    let coordinator: PresentationCoordinator
    let log: AuditLog
    let reader: AuditReader

    init(_ coordinator: PresentationCoordinator, _ log: AuditLog, _ reader: AuditReader) {
      (self.coordinator, self.log, self.reader) = (coordinator, log, reader)
    }

    /// The date and time of this coordinator's clock.
    var now: Timestamp { coordinator.clock.wall() }

    /// Whether the log contains all that is known to be on the record of the shared surface.
    var isCurrent: Bool { get async { await coordinator.isConnected && !log.isBehind } }
  }

  /// The shared surfaces, and the function to join one.
  struct Sharing: Sendable {
    let host: String
    /// Names, or patterns in the syntax of glob(7).
    let surfaces: [String]
    /// The maximum number of joined surfaces.
    let limit: Int
    /// Joins a surface. Called at most once at a time for each surface.
    let join: @Sendable (String) async throws -> Keeper
  }

  /// The first user of a shared surface here. Users share the limit.
  enum User: Hashable, Sendable {
    case configuration
    /// The host that added a surface that was recorded at the start.
    case host(String)
    case user(UInt32)
  }

  private struct State {
    var keepers: [String: Keeper] = [:]
    var joining: [String: (task: Task<Keeper, any Error>, user: User)] = [:]
  }

  let local: Keeper
  private let sharing: Sharing?
  /// The executor of tasks that join surfaces.
  private let worker: (any TaskExecutor)?
  private let state = Mutex(State())

  init(_ local: Keeper, sharing: Sharing? = nil, worker: (any TaskExecutor)? = nil) {
    self.local = local
    self.sharing = sharing
    self.worker = worker
  }

  /// This host's name on shared surfaces; `nil` if there are none.
  var host: String? { sharing?.host }

  var shared: [(surface: String, keeper: Keeper)] {
    guard sharing != nil else { return [] }
    return state.withLock(\.keepers).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  var all: [Keeper] { [local] + shared.map(\.keeper) }

  /// Whether a surface is shared. False for an invalid name, since the name becomes part of a path.
  func isShared(_ surface: String) -> Bool {
    guard let sharing, (try? TextRule.checkName(surface, at: "/surface")) != nil else { return false }
    return sharing.surfaces.contains { fnmatch($0, surface, 0) == 0 }
  }

  /// Returns the keeper of a surface; `nil` if the surface is shared and not joined yet.
  func keeper(of surface: String) -> Keeper? {
    isShared(surface) ? state.withLock { $0.keepers[surface] } : local
  }

  /// Returns the keeper of a surface, after joining it.
  ///
  /// - Throws: ``RouterError`` if too many surfaces are joined, or if the user's share is used up.
  func joined(_ surface: String, for user: User) async throws -> Keeper {
    isShared(surface) ? try await join(surface, for: user).value : local
  }

  /// Starts joining a shared surface, or returns the existing task.
  ///
  /// - Throws: The same errors as ``joined(_:for:)``.
  func join(_ surface: String, for user: User) throws -> Task<Keeper, any Error> {
    guard let sharing else { preconditionFailure("\(surface) is not shared") }
    return try state.withLock { state in
      if let (task, _) = state.joining[surface] { return task }
      let free = sharing.limit - state.joining.count
      guard free > 0, user == .configuration || state.joining.values.count(where: { $0.user == user }) <= free else {
        throw RouterError(
          .full,
          "cannot use the surface \(surface): shared.limit allows \(sharing.limit) shared surfaces, and no user more than are left"
        )
      }
      // Ends when the surface is joined.
      let task = Task(executorPreference: worker) {
        let result: Result<Keeper, any Error>
        do { result = .success(try await sharing.join(surface)) } catch { result = .failure(error) }
        self.state.withLock { state in
          if case .success(let keeper) = result { state.keepers[surface] = keeper } else { state.joining[surface] = nil }
        }
        return try result.get()
      }
      state.joining[surface] = (task, user)
      return task
    }
  }

  /// Returns the coordinator with an open presentation, or with a session paused at it; `nil` if there is none. Called on the
  /// event loop.
  func holder(of id: PresentationID) -> PresentationCoordinator? {
    all.lazy.map(\.coordinator).first { coordinator in
      coordinator.enter { $0.openPresentation(id) != nil || $0.pauses.contains { $0.presentation == id } }
    }
  }

  /// Returns the keeper whose log contains a presentation; this machine's if no log does. Waits for surfaces that are being
  /// joined and may contain it: joining takes at most one attempt to reach the database.
  ///
  /// - Throws: ``RouterError`` if no log contains it, and the copy of a shared surface may lag behind.
  func keeper(of id: PresentationID) async throws -> Keeper {
    let joining = state.withLock { state in state.joining.filter { state.keepers[$0.key] == nil }.mapValues(\.task) }
    // Checked before reading: a copy may catch up between.
    var lagging: [String] = []
    for (surface, keeper) in shared where await !keeper.isCurrent { lagging.append(surface) }
    for keeper in all.reversed() where try await keeper.reader.presentation(id) != nil { return keeper }
    for (surface, task) in joining {
      guard let keeper = try? await task.value else {
        lagging.append(surface)
        continue
      }
      if await !keeper.isCurrent { lagging.append(surface) }
      if try await keeper.reader.presentation(id) != nil { return keeper }
    }
    guard lagging.isEmpty else {
      throw RouterError(
        .logUnavailable,
        "cannot tell whether the prompt \(id) exists: this host lags behind on \(lagging.sorted().joined(separator: ", "))",
        retryAfter: .seconds(1))
    }
    return local
  }

  /// Shuts down all coordinators, and closes the logs of the shared surfaces.
  func shutDown() async {
    await withTaskGroup { group in
      for keeper in all { group.addTask { await keeper.coordinator.shutDown() } }
    }
  }
}
