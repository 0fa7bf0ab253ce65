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
  }

  /// The surfaces that are shared, and how to take part in one.
  struct Sharing: Sendable {
    let host: String
    /// Names, or patterns as in glob(7).
    let surfaces: [String]
    /// How many surfaces may be joined.
    let limit: Int
    /// Takes part in a surface. Called for one surface at most once at a time.
    let join: @Sendable (String) async throws -> Keeper
  }

  /// Who was the first to use a shared surface here. They share the limit.
  enum User: Hashable, Sendable {
    case configuration
    /// The host that has added a surface, which was on record at the start.
    case host(String)
    case user(UInt32)
  }

  private struct State {
    var keepers: [String: Keeper] = [:]
    var joining: [String: (task: Task<Keeper, any Error>, user: User)] = [:]
  }

  let local: Keeper
  private let sharing: Sharing?
  /// Runs the joining of surfaces.
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

  /// Whether a surface is shared. Its name becomes part of a path, so an invalid one is not.
  func isShared(_ surface: String) -> Bool {
    guard let sharing, (try? TextRule.checkName(surface, at: "/surface")) != nil else { return false }
    return sharing.surfaces.contains { fnmatch($0, surface, 0) == 0 }
  }

  /// Returns the keeper of a surface; `nil` if it is shared and not joined yet.
  func keeper(of surface: String) -> Keeper? {
    isShared(surface) ? state.withLock { $0.keepers[surface] } : local
  }

  /// Returns the keeper of a surface, after joining it.
  ///
  /// - Throws: ``RouterError`` if there are too many, or if the user would have more than are left for others.
  func joined(_ surface: String, for user: User) async throws -> Keeper {
    isShared(surface) ? try await join(surface, for: user).value : local
  }

  /// Begins to join a shared surface, or returns the task that does or did.
  ///
  /// - Throws: ``RouterError`` as ``joined(_:for:)`` does.
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

  /// Returns the coordinator that has an open presentation, or a session paused at one; `nil` if none has. Called on the event loop.
  func holder(of id: PresentationID) -> PresentationCoordinator? {
    all.lazy.map(\.coordinator).first { coordinator in
      coordinator.enter { $0.openPresentation(id) != nil || $0.pauses.contains { $0.presentation == id } }
    }
  }

  /// Returns the keeper whose log has a presentation; this machine's if none has. Waits for surfaces that are being joined, if it
  /// may be theirs: joining takes at most one attempt to reach the database.
  func keeper(of id: PresentationID) async throws -> Keeper {
    let joining = state.withLock { state in state.joining.filter { state.keepers[$0.key] == nil }.values.map(\.task) }
    for keeper in all.reversed() where try await keeper.reader.presentation(id) != nil { return keeper }
    for task in joining {
      if let keeper = try? await task.value, try await keeper.reader.presentation(id) != nil { return keeper }
    }
    return local
  }

  /// Shuts down all coordinators, and closes the logs of the shared ones.
  func shutDown() async {
    await withTaskGroup { group in
      for keeper in all { group.addTask { await keeper.coordinator.shutDown() } }
    }
  }
}
