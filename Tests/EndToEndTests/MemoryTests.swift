import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// The daemon keeps nothing of ended presentations in memory.
/// Promises P7, P55, P57.
@Suite(.timeLimit(.minutes(10)), .enabled(if: !isSanitized, "a sanitizer keeps what was freed"))
struct MemoryTests {
  private static let load = Result { try CompiledC.compile("Benchmarks/peers/router_load.c", to: "router_load") }

  @Test(arguments: isLong ? [(1, 1), (16, 1), (16, 16)] : [(16, 16)])
  func `frees the memory of ended presentations`(requesters: Int, surfaces: Int) async throws {
    try await TestDaemon.run { daemon in
      try await expectNoGrowth(of: daemon, over: 1500) { count in
        let load = try ChildProcess(try Self.load.get(), [daemon.socket, "\(requesters)", "\(surfaces)", "\(count)"])
        await load.expectExit()
      }
    }
  }

  @Test(arguments: [
    // A presenter.
    "GET /v1/surfaces/desk/stream HTTP/1.1\r\nHost: l\r\n\r\n",
    // A requester that follows its request.
    """
    POST /v1/presentations HTTP/1.1\r\nHost: l\r\nAccept: text/event-stream\r\nContent-Length: 30\r\n\r\n\
    {"kind":"alert","title":"Hi!"}
    """,
  ])
  func `frees the memory of streams whose clients have left`(request: String) async throws {
    try await TestDaemon.run(environment: ["ROUTERD_LIMITS_ATTACHMENTS_PER_MINUTE": "1000000"]) { daemon in
      try await expectNoGrowth(of: daemon, over: 1000) { count in
        for _ in 0..<count {
          let connection = try RawConnection(daemon.socket)
          connection.send(request)
          #expect(await connection.head().hasPrefix("HTTP/1.1 200 "))
        }
      }
    }
  }

  @Test func `frees the body and the headers of a request that waits for a person`() async throws {
    try await TestDaemon.run { daemon in
      let (body, filler) = (#"{"kind":"alert","title":"?"}"#, String(repeating: "x", count: 60_000))
      let head = "POST /v1/presentations HTTP/1.1\r\nHost: l\r\nFiller: \(filler)\r\nContent-Length: \(1 << 20)\r\n\r\n"
      let request = head + body + String(repeating: " ", count: (1 << 20) - body.utf8.count)
      var waiting: [RawConnection] = []
      func ask(_ count: Int) async throws {
        for _ in 0..<count {
          let connection = try RawConnection(daemon.socket)
          #expect(await connection.sendAll(request))
          waiting.append(connection)
          try await daemon.opened(waiting.count)
        }
      }
      // The allocator reaches its size.
      try await ask(8)
      let before = try residentBytes(of: daemon.process.pid)
      try await ask(64)
      // Each sent more than a megabyte.
      #expect((try residentBytes(of: daemon.process.pid) - before) / 16 < 450_000)
    }
  }

  @Test func `keeps a digest of what is remembered, also after a restart, and lists it page by page`() async throws {
    try await TestDaemon.run { daemon in
      let fresh = try residentBytes(of: daemon.process.pid)
      let (presenter, filler) = (TestPresenter(daemon.client), String(repeating: "x", count: 65_000))
      func remember(_ numbers: Range<Int>) async throws {
        for number in numbers {
          let variables = (0..<14).map { ("V\($0)", filler) }
          let act = Act("run", object: "\(number)", environment: OrderedDictionary(uniqueKeysWithValues: variables))
          #expect(try await daemon.ask("Run?", rememberable: act).status == 202)
          try await presenter.press(id: "yes", on: try await presenter.nextPresentation(), remember: .session)
        }
      }
      // The allocator and the database's cache reach their size.
      try await remember(0..<4)
      let before = try residentBytes(of: daemon.process.pid)
      try await remember(4..<20)
      // Each act has 0.9 MB.
      #expect((try residentBytes(of: daemon.process.pid) - before) / 16 < 450_000)

      var (ids, cursor) = ([String](), String?.none)
      repeat {
        let reply = try await daemon.call(.GET, "/v1/grants?limit=8" + (cursor.map { "&cursor=\($0)" } ?? ""))
        #expect(reply.body.count < 200_000)
        let page = try reply.json["grants"]?.array ?? []
        #expect(page.count <= 8)
        ids += page.compactMap { $0["id"]?.string }
        cursor = try reply.json["next"]?.string
      } while cursor != nil
      #expect(ids.count == 20 && ids == ids.sorted(by: >) && Set(ids).count == 20)

      await daemon.end(by: SIGTERM)
      let next = try await daemon.next()
      #expect(try await next.client.grants().map(\.grant.id.description) == ids)
      #expect((try residentBytes(of: next.process.pid) - fresh) / 20 < 900_000)
      let revoking = try ChildProcess("routerctl", ["grants", "revoke", "--all"], environment: ["ROUTERD_SOCKET": next.socket])
      #expect(await revoking.allOutput() == ids)
      #expect(try await next.client.grants().isEmpty)
      let ended = try await next.client.grants(ended: true)
      #expect(ended.count == 20 && ended.allSatisfy { $0.end == .revoked })
    }
  }

  /// Runs a body twice, so that the allocator and the database's cache reach their size, and then again. This time each
  /// iteration may keep less than the size of a request and its outcome.
  private func expectNoGrowth(of daemon: TestDaemon, over count: Int, _ body: (Int) async throws -> Void) async throws {
    for _ in 0..<2 { try await body(count) }
    let before = try residentBytes(of: daemon.process.pid)
    try await body(count)
    let after = try residentBytes(of: daemon.process.pid)
    #expect((after - before) / count < 1000)
  }

  /// Returns a process's anonymous resident memory (proc_pid_status(5)).
  private func residentBytes(of pid: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) * 1024
  }
}

/// Whether this runs under `scripts/test --long`.
private let isLong = ProcessInfo.processInfo.environment["ROUTER_LONG"] != nil

/// Whether this runs under `scripts/sanitize`.
private let isSanitized = ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains { ProcessInfo.processInfo.environment[$0] != nil }
