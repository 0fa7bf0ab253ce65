import Glibc
import Router

/// The coordinators of the daemon: one for this machine's surfaces, and one for each shared surface in use.
final class Coordinators: Sendable {
  /// A coordinator with its log.
  struct Place: Sendable {
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
    let join: @Sendable (String) async throws -> Place
  }

  private struct State {
    var places: [String: Place] = [:]
    var joining: [String: Task<Place, any Error>] = [:]
  }

  let local: Place
  private let sharing: Sharing?
  private let state = Mutex(State())

  init(_ local: Place, sharing: Sharing? = nil) {
    self.local = local
    self.sharing = sharing
  }

  /// This host's name on shared surfaces; `nil` if there are none.
  var host: String? { sharing?.host }

  var shared: [(surface: String, place: Place)] {
    guard sharing != nil else { return [] }
    return state.withLock(\.places).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  var all: [Place] { [local] + shared.map(\.place) }

  /// Whether a surface is shared. Its name becomes part of a path, so an invalid one is not.
  func isShared(_ surface: String) -> Bool {
    guard let sharing, (try? TextRule.checkName(surface, at: "/surface")) != nil else { return false }
    return sharing.surfaces.contains { fnmatch($0, surface, 0) == 0 }
  }

  /// Returns the place of a surface; `nil` if it is shared and not joined yet.
  func place(of surface: String) -> Place? {
    isShared(surface) ? state.withLock { $0.places[surface] } : local
  }

  /// Returns the place of a surface, after joining it.
  func joined(_ surface: String) async throws -> Place {
    guard let sharing, isShared(surface) else { return local }
    // Ends when the surface is joined. Several callers wait for one task.
    let task = try state.withLock { state in
      if let task = state.joining[surface] { return task }
      guard state.joining.count < sharing.limit else {
        throw RouterError(.full, "cannot use the surface \(surface): shared.limit allows \(sharing.limit) shared surfaces")
      }
      let task = Task { try await sharing.join(surface) }
      state.joining[surface] = task
      return task
    }
    do {
      let place = try await task.value
      state.withLock { $0.places[surface] = place }
      return place
    } catch {
      state.withLock { $0.joining[surface] = nil }
      throw error
    }
  }

  /// Returns the coordinator that has an open presentation; `nil` if none has. Called on the event loop.
  func holder(of id: PresentationID) -> PresentationCoordinator? {
    all.lazy.map(\.coordinator).first { $0.enter { $0.openPresentation(id) != nil } }
  }

  /// Returns the place whose log has a presentation; this machine's if none has.
  func keeper(of id: PresentationID) async throws -> Place {
    for (_, place) in shared where try await place.reader.presentation(id) != nil { return place }
    return local
  }

  /// Shuts down all coordinators, and closes the logs of the shared ones.
  func shutDown() async {
    await withTaskGroup { group in
      for place in all { group.addTask { await place.coordinator.shutDown() } }
    }
  }
}
