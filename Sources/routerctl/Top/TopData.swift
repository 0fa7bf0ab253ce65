import Router
import RouterClient

/// A snapshot of a daemon for `routerctl top`.
struct TopData: Sendable {
  struct Seat: Sendable, Hashable {
    let surface: String
    let presenter: AttachedPresenter
  }

  /// The maximum number of open prompts to show.
  static let limit = 200
  /// The maximum number of open prompts to fetch. A page contains the oldest prompts, which are not always shown first.
  static let fetchLimit = 1000

  var version = ""
  var uptime: Duration?
  /// The open prompts, in queue order.
  var queue: [Presentation] = []
  var waiting = 0
  var shown = 0
  var seats: [Seat] = []
  /// The remembered answers in force that the user may see, newest first.
  var grants: [GrantRecord] = []
  /// The paused sessions.
  var pauses: [SessionPause] = []
  var switched = Switch.on
  /// The ended prompts, newest first; `nil` without the role audit.
  var recent: [Presentation]?
  /// The error of the last fetch.
  var failure: String?

  /// Fetches the data that the user's roles allow; throws if another call fails.
  init(from client: RouterClient) async throws {
    queue = Array(try await client.firstPresentations(limit: Self.fetchLimit).prefix(Self.limit))
    let surfaces = try await client.surfaces()
    pauses = surfaces.flatMap(\.pauses)
    switched = try await client.switched()
    waiting = surfaces.reduce(0) { $0 + $1.waiting }
    shown = surfaces.reduce(0) { $0 + $1.presented.count }
    seats = surfaces.flatMap { surface in surface.presenters.map { Seat(surface: surface.name, presenter: $0) } }
    grants = try await Self.allowed { try await client.grants() } ?? []
    if let status = try await Self.allowed({ try await client.status() }) {
      (version, uptime) = (status.version, status.uptime)
    }
    var ended = AuditQuery()
    ended.limit = 50
    ended.outcomes = PresentationOutcome.Name.allCases
    if let log = try await Self.allowed({ [ended] in try await client.logPresentationPage(ended) }) {
      recent = log.page.sorted { ($0.resolvedAt ?? $0.requestedAt) > ($1.resolvedAt ?? $1.requestedAt) }
    }
  }

  init() {}

  private static func allowed<Reply>(_ call: () async throws -> Reply) async throws -> Reply? {
    do {
      return try await call()
    } catch let error as RouterError where error.code == .forbidden {
      return nil
    }
  }
}
