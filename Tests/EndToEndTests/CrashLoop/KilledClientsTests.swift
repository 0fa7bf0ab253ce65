import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// Kills requester and presenter processes at random moments.
/// Promise P2.
@Suite(.timeLimit(.minutes(10)))
struct KilledClientsTests {
  /// The number of kills, set by `ROUTER_KILLS`.
  private static var kills: Int { TestSeed.count("ROUTER_KILLS", otherwise: 10) }

  /// The running processes, some of which are killed.
  private struct Crowd {
    let daemon: TestDaemon
    var requesters: [(title: String, process: ChildProcess)] = []
    var presenters: [ChildProcess] = []
    var asked = 0

    /// Starts the missing processes. Presenters take a moment to answer, as people do, so requests queue up.
    mutating func fill(presenters count: Int = 2) throws {
      while requesters.count < 4 {
        asked += 1
        let title = "\(asked)"
        let process = try ChildProcess(
          "routerctl", ["alert", title, "--button", "yes=Yes", "--surface", "desk", "--socket", daemon.socket])
        requesters.append((title, process))
      }
      while presenters.count < count {
        presenters.append(
          try ChildProcess(
            "routerctl", ["present", "--surface", "desk", "--exec", "sleep 0.1; echo yes", "--socket", daemon.socket]))
      }
    }
  }

  @Test func `withdraws a killed requester's prompt only, and survives killed presenters`() async throws {
    let seed = TestSeed.make()
    var random = SplitMix64(seed: seed)
    try await TestDaemon.run { daemon in
      var crowd = Crowd(daemon: daemon)
      var killed: Set<String> = []
      var answered: Set<String> = []
      // This one is certainly waiting.
      try crowd.fill(presenters: 0)
      try await daemon.opened(4)
      let first = crowd.requesters.removeFirst()
      first.process.signal(SIGKILL)
      await first.process.expectExit(128 + SIGKILL)
      killed.insert(first.title)
      for _ in 1..<max(2, Self.kills) {
        try crowd.fill()
        // A random delay, measured in calls to the daemon.
        for _ in 0..<(random.next() % 60) { _ = try await daemon.open() }
        if random.next() % 3 == 0 {
          let presenter = crowd.presenters.remove(at: Int(random.next() % 2))
          presenter.signal(SIGKILL)
          _ = await presenter.exitStatus()
        } else {
          let (title, process) = crowd.requesters.remove(at: Int(random.next() % 4))
          process.signal(SIGKILL)
          // It may already have its answer.
          if await process.exitStatus() == 0 { answered.insert(title) } else { killed.insert(title) }
        }
      }
      // The remaining requesters get answers.
      try crowd.fill()
      for (title, process) in crowd.requesters {
        await process.expectExit(0, "seed \(seed): \(title)")
        #expect(await process.allOutput() == ["yes"], "seed \(seed): \(title)")
        answered.insert(title)
      }
      try await daemon.opened(0)
      for presenter in crowd.presenters { presenter.signal(SIGKILL) }
      daemon.process.signal(SIGTERM)
      await daemon.process.expectExit(0, "seed \(seed)")

      var query = AuditQuery()
      query.limit = 1000
      var gone = 0
      repeat {
        let (page, next) = try await AuditReader(path: daemon.database).presentationPage(query)
        for presentation in page {
          let title = presentation.request.title ?? ""
          let isGone = presentation.outcome == .cancelled(.requesterGone)
          gone += isGone ? 1 : 0
          #expect(
            presentation.outcome == .answered(.button("yes")) || (isGone && killed.contains(title)), "seed \(seed): \(title)")
        }
        query.cursor = next
      } while query.cursor != nil
      try await CrashRecord(database: daemon.database).check(CrashTally(), round: 0)
      #expect(gone > 0, "seed \(seed): nobody was killed who waited")
      print("\(Self.kills) killed, \(crowd.asked) asked, \(answered.count) answered, \(gone) gone with their requesters")
    }
  }
}
