import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// A full disk under a running daemon: writes are refused, reads work.
/// Promise P10.
@Suite(.timeLimit(.minutes(10)))
struct FullDiskTests {
  @Test(arguments: SmallDisk.Kind.possible)
  func `refuses what it cannot record, and resumes when there is space`(
    kind: SmallDisk.Kind
  ) async throws {
    try await SmallDisk.run(kind) { disk in
      try await TestDaemon.run(environment: disk.environment, database: disk.database) { daemon in
        let presenter = TestPresenter(daemon.client)
        let asking = Task { try await daemon.call(.POST, APIPath.presentations, PresentationRequest.alert("shown").json) }
        let shown = try await presenter.nextPresentation()
        let next = try Presentation(json: try await daemon.ask("next").json)

        // Reading the log writes the rows of earlier events.
        #expect(try await daemon.call(.GET, "/v1/log/\(next.id)").status == 200)
        try disk.fill()
        try await refusesWhatItCannotRecord(daemon, shown: shown, next: next)
        try await readsAsBefore(daemon, shown: shown, next: next)

        // The requester leaves: its prompt is taken down at once, and the outcome is recorded later.
        asking.cancel()
        #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
        _ = await asking.result
        #expect(try await AuditReader(path: daemon.database).presentation(shown.id)?.outcome == nil)

        try disk.empty()
        let after = try await presenter.nextPresentation()
        #expect(after.id == next.id)
        #expect(try await daemon.isWritable())
        try await presenter.press(id: "yes", on: after)
        daemon.process.signal(SIGKILL)
        _ = await daemon.process.exitStatus()

        let reader = try AuditReader(path: daemon.database)
        #expect(try await reader.presentation(shown.id)?.outcome == .cancelled(.requesterGone))
        #expect(try await reader.presentation(next.id)?.outcome == .answered(.button("yes")))
        let titles = try await reader.presentationPage(AuditQuery()).page.compactMap(\.request.title)
        #expect(Set(titles) == ["shown", "next"])
        try await CrashRecord(database: daemon.database).check(CrashTally(), round: 0)
      }
    }
  }

  private func refusesWhatItCannotRecord(_ daemon: TestDaemon, shown: Presentation, next: Presentation) async throws {
    let request = PresentationRequest.alert("refused").json
    let (path, ask) = (APIPath.presentation(shown.id), APIPath.presentations)
    let replies = [
      try await daemon.ask("refused"),
      try await daemon.call(.POST, ask, request),
      try await daemon.call(.POST, ask, request, headers: ["Prefer": "wait=100"]),
      try await daemon.call(.POST, ask, request, headers: ["Accept": "text/event-stream"]),
      try await daemon.call(.POST, ask, request, headers: ["Idempotency-Key": "k"]),
      try await daemon.call(.POST, path + "/answer", ["button": "yes", "generation": 1]),
      try await daemon.call(.POST, path + "/dismiss", ["generation": 1]),
      try await daemon.call(.POST, path + "/fail", ["detail": "no display"]),
      try await daemon.call(.DELETE, path),
      try await daemon.call(.DELETE, APIPath.presentation(next.id)),
    ]
    for (index, reply) in replies.enumerated() {
      #expect(reply.status == 503, "call \(index): \(String(decoding: reply.body, as: UTF8.self))")
      #expect(reply.headers["Retry-After"] == ["1"], "call \(index)")
      let problem = try reply.problem
      #expect(problem.code == RouterError.Code.logUnavailable.rawValue, "call \(index)")
      #expect(
        problem.detail == "cannot write the audit log: the disk is full; nothing was changed",
        "call \(index): \(problem.detail)")
    }
  }

  private func readsAsBefore(_ daemon: TestDaemon, shown: Presentation, next: Presentation) async throws {
    let open = try await daemon.open()
    #expect(open.map(\.id) == [shown.id, next.id])
    #expect(open.map(\.state) == [.presented, .queued])
    #expect(open.map(\.generation) == [1, 0])
    for path in [APIPath.presentation(shown.id), "/v1/surfaces", "/v1/log", "/v1/log/\(shown.id)", "/v1/status", "/healthz"] {
      #expect(try await daemon.call(.GET, path).status == 200, "\(path)")
    }
    // This also holds after a failed retry of the write.
    try await daemon.becomes(writable: false)
    let start = ContinuousClock.now
    while start.duration(to: .now) < .milliseconds(1200) { #expect(try await !daemon.isWritable()) }
  }

  @Test(arguments: SmallDisk.Kind.possible)
  func `stops cleanly on a full disk, and restores detached requests`(kind: SmallDisk.Kind) async throws {
    try await SmallDisk.run(kind) { disk in
      try await TestDaemon.run(environment: disk.environment, database: disk.database) { daemon in
        let presenter = TestPresenter(daemon.client)
        #expect(try await daemon.ask("kept").status == 202)
        _ = try await presenter.nextPresentation()
        let asking = Task { try await daemon.call(.POST, APIPath.presentations, PresentationRequest.alert("lost").json) }
        try await daemon.opened(2)
        try disk.fill()
        #expect(try await daemon.ask("refused").status == 503)
        daemon.process.signal(SIGTERM)
        await daemon.process.expectExit()
        #expect((try? await asking.value)?.status ?? 503 == 503)
        try disk.empty()
        let next = try await daemon.next(environment: disk.environment)
        #expect(try await next.open().map(\.request.title) == ["kept"])
        let record = try await AuditReader(path: next.database).presentationPage(AuditQuery()).page
        #expect(record.first { $0.request.title == "lost" }?.outcome == .cancelled(.interrupted))
        next.process.signal(SIGTERM)
        await next.process.expectExit()
        try await CrashRecord(database: next.database).check(CrashTally(), round: 0)
      }
    }
  }

  @Test func `refuses to start on a full disk, and starts when there is space`() async throws {
    for kind in SmallDisk.Kind.possible {
      try await SmallDisk.run(kind) { disk in
        try disk.fill()
        let directory = try TemporaryDirectory()
        let arguments = ["--socket", directory.file("s"), "--database", disk.database]
        let refused = try ChildProcess("routerd", arguments, environment: disk.environment)
        var lines: [String] = []
        for await line in refused.errors { lines.append(line) }
        await refused.expectExit(1)
        #expect(lines.count == 1)
        #expect(lines.first?.contains("cannot open the database \(disk.database)") == true, "\(lines)")
        try disk.empty()
        let started = try ChildProcess("routerd", arguments, environment: disk.environment)
        #expect(await started.line(with: "listening") != nil)
        started.signal(SIGTERM)
        await started.expectExit()
      }
    }
  }
}
