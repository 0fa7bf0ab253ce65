import Router
import RouterClient
import Testing

extension FaultyDisk {
  /// Leaves so little space that the events of two requests fit and their rows do not. Asks before and after the daemon has
  /// failed to write rows.
  func failRows(of daemon: TestDaemon, asking titles: (String, String)) async throws {
    let before = failures
    set(Faults(space: 40_000))
    #expect(try await daemon.ask(titles.0).status == 202)
    for _ in 0..<1000 where failures == before { _ = try await daemon.rows() }
    #expect(failures > before, "the daemon did not fail to write rows")
    #expect(try await daemon.ask(titles.1).status == 202)
  }
}

extension TestDaemon {
  /// Returns the number of presentations in the log, at most 100. Reads again until there are enough, a limited number of times:
  /// the daemon answers with earlier rows if writing the others takes long.
  func rows(atLeast count: Int = 0) async throws -> Int {
    var found = 0
    for _ in 0..<1000 {
      found = try await call(.GET, "/v1/log").json["presentations"]?.array?.count ?? 0
      if found >= count { break }
    }
    return found
  }
}
