import Foundation
import Testing

@testable import Router
@testable import RouterCore
@testable import routerctl

/// The tests poll explicitly; nothing here depends on time.
@Suite(.timeLimit(.minutes(10)))
final class LogFollowerTests {
  let directory = FileManager.default.temporaryDirectory.appending(path: "routerctl-\(UUID().uuidString)").path
  let ids = PresentationIDGenerator()
  var path: String { directory + "/routerd.db" }
  var log: AuditLog?

  init() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit {
    log = nil
    try? FileManager.default.removeItem(atPath: directory)
  }

  private func start() throws { log = try AuditLog(path: path) }

  private func stop() async {
    await log?.close()
    log = nil
  }

  private func append(_ labels: String...) async throws {
    for label in labels { try await log?.append([note(label)]) }
  }

  private func note(_ label: String) -> Event {
    let by = Presentation.Responder(process: ProcessIdentity(uid: 1000, gid: 1000, pid: 42))
    let denied = Event.AccessDenied(by: by, what: label, reason: "a test", unrecorded: 0)
    return Event(at: Presentation.asked, .accessDenied(denied))
  }

  private func follower(backlog: Int?) -> LogFollower {
    LogFollower(LogFile(path: path), query: AuditQuery(), backlog: backlog) { _ in true }
  }

  /// Polls once; returns `nil` if there is no database.
  private func look(_ follower: LogFollower) async throws -> [String]? {
    let labels = Mutex<[String]>([])
    let isThere = try await follower.poll { _, page in
      labels.withLock { $0 += page.compactMap { $0.detail["what"]?.string } }
    }
    return isThere ? labels.withLock(\.self) : nil
  }

  @Test func `starts with the backlog and then reports each event once`() async throws {
    try start()
    try await append("a", "b", "c")
    let follower = follower(backlog: 2)
    #expect(try await look(follower) == ["b", "c"])
    #expect(try await look(follower) == [])
    try await append("d")
    try await append("e")
    #expect(try await look(follower) == ["d", "e"])
    #expect(try await look(follower) == [])
    #expect(await follower.position == 5)
  }

  @Test(arguments: [
    (0, ["d"]), (1, ["c", "d"]), (3, ["a", "b", "c", "d"]), (100, ["a", "b", "c", "d"]), (nil, ["a", "b", "c", "d"]),
  ])
  func `shows as much backlog as requested`(backlog: Int?, expected: [String]) async throws {
    try start()
    try await append("a", "b", "c")
    let follower = follower(backlog: backlog)
    let first = try await look(follower) ?? []
    try await append("d")
    let second = try await look(follower) ?? []
    #expect(first + second == expected)
  }

  @Test func `reads many events in pages without a gap`() async throws {
    try start()
    let count = 2500
    try await log?.append(
      (0..<count).map { note(String($0)) })
    let all = follower(backlog: nil)
    #expect(try await look(all) == (0..<count).map(String.init))
    let some = follower(backlog: 1700)
    #expect(try await look(some) == (800..<count).map(String.init))
  }

  @Test func `continues after a restart without a gap or a repeat`() async throws {
    try start()
    try await append("a")
    let follower = follower(backlog: 10)
    #expect(try await look(follower) == ["a"])
    await stop()
    #expect(try await look(follower) == [])
    try start()
    #expect(try await look(follower) == [])
    try await append("b")
    await stop()
    #expect(try await look(follower) == ["b"])
  }

  @Test func `waits for a database, and then reports all of it as new`() async throws {
    let follower = follower(backlog: 0)
    #expect(try await look(follower) == nil)
    #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
    #expect(try await look(follower) == nil)
    try start()
    try await append("a", "b")
    #expect(try await look(follower) == ["a", "b"])
    #expect(try await look(follower) == [])
  }

  @Test func `reads a replaced database from its start`() async throws {
    try start()
    try await append("a", "b", "c")
    let follower = follower(backlog: 1)
    #expect(try await look(follower) == ["c"])
    await stop()
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    #expect(try await look(follower) == nil)
    try start()
    try await append("x", "y")
    #expect(try await look(follower) == ["x", "y"])
  }

  @Test func `fails on a file that is not a database`() async throws {
    #expect(FileManager.default.createFile(atPath: path, contents: Data("not a database at all".utf8)))
    let follower = follower(backlog: 10)
    await #expect(throws: RouterError.self) { try await look(follower) }
  }

  @Test func `reports a presentation once, when it has ended`() async throws {
    try start()
    let follower = LogFollower(LogFile(path: path), query: AuditQuery(), backlog: 10) { $0.endsPresentation }
    func look() async throws -> [PresentationID] {
      let found = Mutex<[PresentationID]>([])
      _ = try await follower.poll { source, page in
        let ended = try await source.presentations(endedBy: page, matching: AuditQuery()).map(\.id)
        found.withLock { $0 += ended }
      }
      return found.withLock(\.self)
    }
    let sample = Presentation.sample(outcome: nil)
    let asked = Asked(
      requester: sample.requester, request: sample.request, at: Presentation.asked, number: 1, key: nil)
    let requested = Event(
      at: Presentation.asked, presentation: sample.id,
      .requested(
        Event.Requested(
          asked: asked, attached: true, place: PresentationPlace(lane: 3, rank: 0), level: 0, hasCallback: true)))
    func append(_ detail: Event.Detail) async throws {
      try await log?.append([Event(at: Presentation.asked, presentation: sample.id, detail)])
    }
    try await log?.append([requested])
    #expect(try await look() == [])
    try await append(.resolved(Event.Resolved(outcome: .dismissed)))
    #expect(try await look() == [sample.id])
    try await append(.callbackDelivered(Event.CallbackDelivered(attempts: 1)))
    #expect(try await look() == [])
  }
}
