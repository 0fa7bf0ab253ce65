#if PostgreSQL
import Glibc
import Router
import RouterClient
import Testing

/// Two daemons that share all surfaces. Requesters use the one that follows, and presenters the one that leads.
struct SharedHost: Host {
  let daemons: SharedDaemons
  /// The copy of the leader, which no requester or presenter is ahead of.
  let reader: AuditReader
  let surfaces: TestSurfaces
  private let (leader, follower): (String, String)
  private let (asking, presenting): (RouterClient, RouterClient)

  private var surface: String { surfaces["main"] }
  var broker: any PresentationBroker {
    SurfaceBroker(broker: SplitBroker(asking: asking, presenting: presenting), surfaces: surfaces)
  }

  init(_ daemons: SharedDaemons, _ surfaces: TestSurfaces) async throws {
    self.daemons = daemons
    self.surfaces = surfaces
    leader = try await daemons.leader(of: surfaces["main"])
    follower = leader == "alpha" ? "beta" : "alpha"
    (asking, presenting) = (daemons[follower].newClient(), daemons[leader].newClient())
    reader = try AuditReader(path: daemons.copy(of: surfaces["main"], on: leader))
  }

  func detach(_ request: PresentationRequest) async throws -> Presentation {
    try await asking.detach(surfaces.moving(request))
  }

  /// Waits for the copy of the requester's host, which a presenter on the other can be ahead of.
  func withdraw(_ id: PresentationID) async throws {
    while try await daemons[follower].call(.GET, "/v1/presentations/\(id)").status == 404 { try Task.checkCancellation() }
    _ = try await asking.cancel(id)
  }

  func attach(_ name: String, _ scope: PresenterScope) -> PresenterAttachment {
    presenting.attach(presenter: name, to: surface, scope)
  }

  func raise(_ id: PresentationID) async throws -> Presentation { try await asking.raise(id) }
  func pauseSession(of id: PresentationID, for duration: Duration) async throws {
    _ = try await asking.pauseSession(of: id, for: duration)
  }
  func endPause(_ id: PresentationID) async throws { try await asking.endPause(id) }
  func pauses() async throws -> [SessionPause] { try await asking.pauses().filter { $0.surface == surface } }
  func wake(_ id: PresentationID) async throws -> Presentation { try await asking.wake(id) }
  func report(_ report: ActReport, of id: PresentationID) async throws { try await asking.report(report, of: id) }
  func open() async throws -> [Presentation] { try await asking.presentations(surface: surface) }

  func eventually(_ condition: String, _ isMet: () async throws -> Bool) async throws {
    try await daemons[leader].eventually(condition, on: surface, isMet)
  }

  /// The copy of the requester's host may be behind the leader's.
  func eventuallyTold(_ condition: String, _ isMet: () async throws -> Bool) async throws {
    try await daemons[follower].eventually(condition, on: surface, isMet)
  }

  /// Stops the requester's host.
  func stop() async throws {
    daemons[follower].process.signal(SIGTERM)
    await daemons[follower].process.expectExit()
  }

  /// Kills the leader.
  func killAndRestart() async throws -> any Host {
    await daemons[leader].end(by: SIGKILL)
    try await daemons.start(leader)
    return try await SharedHost(daemons, surfaces)
  }

  /// Expects that the two copies are equal, as far as both have come: after a kill, either host may lead.
  func expectOneRecord() async throws {
    let copy = try AuditReader(path: daemons.copy(of: surface, on: follower))
    let (ours, theirs) = (try await copy.events(after: 0).map(\.json), try await reader.events(after: 0).map(\.json))
    let count = min(ours.count, theirs.count)
    #expect(count > 0 && Array(ours.prefix(count)) == Array(theirs.prefix(count)))
    #expect(try await copy.verify().fault == nil)
  }
}

/// Submits to one daemon, and attaches presenters to another.
private struct SplitBroker: ForwardingBroker {
  let (asking, presenting): (RouterClient, RouterClient)

  init(asking: RouterClient, presenting: RouterClient) { (self.asking, self.presenting) = (asking, presenting) }

  var broker: any PresentationBroker { asking }

  func submit(_ request: PresentationRequest, onDismiss: (@Sendable () async -> Void)?) -> PresentationHandle {
    asking.submit(request, onDismiss: onDismiss)
  }

  func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    presenting.attach(presenter: name, to: surface)
  }
}
#endif
