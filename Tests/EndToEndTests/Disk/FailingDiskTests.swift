import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// A disk that fails under a running daemon, in every way a disk can fail.
/// Promises P5, P11, P12, P43.
@Suite(.timeLimit(.minutes(10)))
struct FailingDiskTests {
  static let faults: [FaultyDisk.Faults] = [
    FaultyDisk.Faults(write: EIO), FaultyDisk.Faults(write: ENOSPC), FaultyDisk.Faults(write: EDQUOT),
    // The kernel has remounted a broken filesystem read-only.
    FaultyDisk.Faults(write: EROFS, sync: EROFS, truncate: EROFS),
    FaultyDisk.Faults(sync: EIO), FaultyDisk.Faults(write: EIO, sync: EIO, truncate: EIO), FaultyDisk.Faults(space: 5000),
  ]

  @Test(arguments: faults)
  func `never records a refused request, even after a kill before the disk recovers`(
    faults: FaultyDisk.Faults
  ) async throws {
    try await onFaultyDisk { daemon, disk in
      let presenter = TestPresenter(daemon.client)
      #expect(try await daemon.ask("shown").status == 202)
      let shown = try await presenter.nextPresentation()
      disk.set(faults)
      let answer: JSONValue = ["button": "yes", "generation": 1]
      let refusals = [
        try await daemon.call(.POST, APIPath.presentation(shown.id) + "/answer", answer), try await daemon.ask("refused"),
        try await daemon.call(.DELETE, APIPath.presentation(shown.id)),
      ]
      #expect(refusals.map(\.status) == [503, 503, 503])
      #expect(disk.failures > 0)
      daemon.process.signal(SIGKILL)
      _ = await daemon.process.exitStatus()
      disk.set(FaultyDisk.Faults())

      let next = try await daemon.next()
      #expect(try await next.open().map(\.request.title) == ["shown"])
      let nextPresenter = TestPresenter(next.client)
      let again = try await nextPresenter.nextPresentation()
      #expect((again.id, again.generation) == (shown.id, 2))
      #expect(
        try await next.call(.POST, APIPath.presentation(shown.id) + "/answer", ["button": "no", "generation": 2]).status == 200)
      nextPresenter.disconnect()
      next.process.signal(SIGTERM)
      await next.process.expectExit()
      try await CrashRecord(database: next.database).check(CrashTally(), round: 0)
    }
  }

  /// - Parameter error: SQLite treats EIO as data loss, unless it was reading the header of the write-ahead log; other errors
  ///   may be transient.
  @Test(arguments: [(ETIMEDOUT, 503), (EIO, 500)])
  func `refuses reads while the log is unreadable, and serves them afterwards`(error: Int32, status: Int) async throws {
    try await onFaultyDisk { daemon, disk in
      let presenter = TestPresenter(daemon.client)
      #expect(try await daemon.ask("ended").status == 202)
      let shown = try await presenter.nextPresentation()
      try await presenter.press(id: "yes", on: shown)
      #expect(try await daemon.ask("open").status == 202)
      disk.set(FaultyDisk.Faults(read: error))
      for path in ["/v1/log", "/v1/log/\(shown.id)", APIPath.presentation(shown.id)] {
        let reply = try await daemon.call(.GET, path)
        // SQLite may still have the page in memory.
        #expect([200, 503, status].contains(reply.status), "\(path)")
        if reply.status != 200 { #expect(try reply.problem.detail.hasPrefix("cannot read the log"), "\(path)") }
        if reply.status == 503 { #expect(reply.headers["Retry-After"] == ["1"], "\(path)") }
      }
      #expect(try await daemon.open().map(\.request.title) == ["open"])
      disk.set(FaultyDisk.Faults())
      #expect(try await daemon.call(.GET, "/v1/log").json["presentations"]?.array?.count == 2)
    }
  }

  @Test func `records events while their rows do not fit, and writes the rows once there is space`() async throws {
    try await onFaultyDisk { daemon, disk in
      #expect(try await daemon.ask("indexed").status == 202)
      #expect(try await daemon.rows(atLeast: 1) == 1)
      try await disk.failRows(of: daemon, asking: ("a", "b"))
      #expect(try await daemon.rows() == 1)
      #expect(try await daemon.isWritable())
      #expect(try await daemon.open().count == 3)
      disk.set(FaultyDisk.Faults())
      #expect(try await daemon.rows(atLeast: 3) == 3)
    }
  }

  @Test func `reports nothing untrue under random disk faults`() async throws {
    let seed = TestSeed.make()
    var random = SplitMix64(seed: seed)
    // Grants settle any number of requests.
    let environment = ["ROUTERD_GRANTS_PER_MINUTE": "1000000"]
    try await onFaultyDisk(environment) { first, disk in
      var daemon = first
      let tally = DiskTally()
      for round in 1...TestSeed.count("ROUTER_DISK_FAULTS", otherwise: 3) {
        var faults = Self.faults[Int(random.next() % UInt64(Self.faults.count))]
        if faults.space != nil { faults.space = Int64(random.next() % 100_000) }
        let load = DiskLoad(daemon: daemon, tally: tally, seed: random.next())
        let isKilled = random.next() % 2 == 0
        let fault = faults
        let running = Task { await load.run() }
        await tally.next(orAny: 20 + Int(random.next() % 60))
        disk.set(fault)
        await tally.next(refusals: 1 + Int(random.next() % 20))
        if !isKilled {
          disk.set(FaultyDisk.Faults())
          try await daemon.becomes(writable: true)
          await tally.next(orAny: 20)
        }
        daemon.process.signal(SIGKILL)
        await daemon.process.expectExit(128 + SIGKILL, "seed \(seed), round \(round)")
        await running.value
        disk.set(FaultyDisk.Faults())
        try await tally.check(against: AuditReader(path: daemon.database), "seed \(seed), round \(round), \(fault)")
        let record = try await CrashRecord(database: daemon.database)
        try await record.check(CrashTally(), round: round)
        daemon = try await daemon.next(environment: disk.environment.merging(environment) { $1 })
        #expect(try await daemon.open().map(\.id) == record.toBeRebuilt, "seed \(seed), round \(round)")
      }
      daemon.process.signal(SIGKILL)
      print(await tally.summary, "\(disk.failures) calls failed")
    }
  }

  private func onFaultyDisk(_ environment: [String: String] = [:], _ body: (TestDaemon, FaultyDisk) async throws -> Void)
    async throws
  {
    let directory = try TemporaryDirectory()
    let disk = try FaultyDisk(in: directory.path)
    try await TestDaemon.run(environment: disk.environment.merging(environment) { $1 }) { try await body($0, disk) }
  }
}
