import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// Kills the daemon repeatedly at random moments under load, also between commits and their rows, and checks the whole record.
/// Promises P1, P5, P43.
@Suite struct CrashLoopTests {
  /// The number of kills, set by `ROUTER_KILLS`; 200 for the long form.
  private static var kills: Int { ProcessInfo.processInfo.environment["ROUTER_KILLS"].flatMap { Int($0) } ?? 10 }
  private static var seed: UInt64 {
    ProcessInfo.processInfo.environment["ROUTER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
  }

  /// - Parameter signal: SIGKILL loses what is not recorded; SIGTERM stops the daemon cleanly.
  @Test(.timeLimit(.minutes(60)), arguments: [SIGKILL, SIGTERM])
  func `loses no accepted request when stopped at random moments`(signal: Int32) async throws {
    let seed = Self.seed
    print("ROUTER_SEED=\(seed) ROUTER_KILLS=\(Self.kills), signal \(signal)")
    var random = SplitMix64(seed: seed)
    let tally = CrashTally()
    let environment = ["ROUTERD_GRACE_SECONDS": "0", "ROUTERD_GRANTS_PER_MINUTE": "1000000"]
    var betweenCommitAndRows = 0
    try await TestDaemon.run(environment: environment) { first in
      var daemon = first
      for round in 1...max(1, Self.kills) {
        let load = CrashLoad(client: daemon.client, tally: tally, seed: random.next())
        await tally.kill(daemon.process, with: signal, after: 1 + Int(random.next() % 60))
        await load.run()
        let status = await daemon.process.exitStatus()
        #expect(status == (signal == SIGTERM ? 0 : 128 + SIGKILL), "round \(round)")
        // Verifying takes longer with each round.
        let isVerified = round.isMultiple(of: (Self.kills + 9) / 10)
        if isVerified { try await CrashRecord.verify(daemon.database, "round \(round), as left") }
        let record = try await CrashRecord(database: daemon.database)
        try await record.check(tally, round: round)
        if isVerified { try await CrashRecord.verify(daemon.database, "round \(round), completed") }
        if record.unindexed > 0 { betweenCommitAndRows += 1 }
        daemon = try await daemon.next(environment: environment)
        // All open presentations are open again, in the recorded order.
        let rebuilt = try await daemon.client.presentations().map(\.id)
        #expect(rebuilt == record.toBeRebuilt, "round \(round)")
      }
      daemon.process.signal(SIGTERM)
      await daemon.process.expectExit()
      try await CrashRecord(database: daemon.database).check(tally, round: 0)
    }
    // A clean stop writes all rows. Under load, almost every other moment is between a commit and its rows.
    #expect((betweenCommitAndRows > 0) == (signal == SIGKILL))
    #expect(await !tally.remembered.isEmpty)
    print("\(await tally.summary), \(betweenCommitAndRows) times between a commit and its rows")
  }
}
