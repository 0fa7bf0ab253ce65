import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// Damaged databases: no crash, no hang, no wrong reply.
/// Promise P17.
@Suite(.timeLimit(.minutes(10)))
struct DamagedDatabaseTests {
  /// The number of damaged databases, set by `ROUTER_DAMAGES`.
  private static var count: Int { TestSeed.count("ROUTER_DAMAGES", otherwise: 24) }

  /// The statuses that a daemon on a damaged database may reply with.
  private static let statuses: Set<Int> = [200, 202, 404, 409, 422, 500, 503]

  @Test func `refuses a damaged database in one line, or serves what is readable`() async throws {
    let seed = TestSeed.make()
    var random = SplitMix64(seed: seed)
    let directory = try TemporaryDirectory()
    let original = try await makeDatabase(in: directory)
    var refusals = 0
    for number in 1...Self.count {
      let path = directory.file("damaged.db")
      let damaged = Self.damage(original, &random)
      for file in [path + "-wal", path + "-shm"] { try? FileManager.default.removeItem(atPath: file) }
      #expect(FileManager.default.createFile(atPath: path, contents: damaged))
      let daemon = try ChildProcess("routerd", ["--socket", directory.file("s"), "--database", path])
      if let lines = await Self.lastWords(of: daemon) {
        refusals += 1
        await daemon.expectExit(1, "seed \(seed), database \(number)")
        #expect(lines.last?.hasPrefix("Error: cannot ") == true, "seed \(seed), database \(number): \(lines)")
      } else {
        try await Self.use(UnixSocketHTTP(path: directory.file("s")), "seed \(seed), database \(number)")
        daemon.signal(SIGKILL)
        await daemon.expectExit(128 + SIGKILL, "seed \(seed), database \(number)")
      }
    }
    print("\(Self.count) databases damaged, \(refusals) refused")
  }

  @Test func `keeps running when its database is damaged`() async throws {
    let seed = TestSeed.make()
    var random = SplitMix64(seed: seed)
    for _ in 0..<max(1, Self.count / 24) {
      try await TestDaemon.run { daemon in
        let presenter = TestPresenter(daemon.client)
        for number in 0..<20 { #expect(try await daemon.ask("\(number)").status == 202) }
        for file in [daemon.database, daemon.database + "-wal"] {
          let handle = try #require(FileHandle(forUpdatingAtPath: file))
          let size = try handle.seekToEnd()
          for _ in 0..<64 {
            try handle.seek(toOffset: random.next() % max(1, size))
            try handle.write(contentsOf: [UInt8(truncatingIfNeeded: random.next())])
          }
          try handle.close()
          try await Self.use(daemon.http, "seed \(seed)")
        }
        presenter.disconnect()
        daemon.process.signal(SIGKILL)
        await daemon.process.expectExit(128 + SIGKILL, "seed \(seed)")
      }
    }
  }

  /// Makes a database with answered and open presentations and stops its daemon.
  private func makeDatabase(in directory: TemporaryDirectory) async throws -> Data {
    let path = directory.file("original.db")
    try await TestDaemon.run(database: path) { daemon in
      let presenter = TestPresenter(daemon.client)
      for number in 0..<10 {
        #expect(try await daemon.ask("answered \(number)").status == 202)
        try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      }
      for number in 0..<10 { #expect(try await daemon.ask("open \(number)").status == 202) }
      daemon.process.signal(SIGTERM)
      _ = await daemon.process.exitStatus()
    }
    return try #require(FileManager.default.contents(atPath: path))
  }

  /// Flips bits, overwrites a range, swaps pages, or truncates.
  private static func damage(_ original: Data, _ random: inout SplitMix64) -> Data {
    var data = original
    func place(_ random: inout SplitMix64) -> Int { Int(random.next() % UInt64(data.count)) }
    switch random.next() % 8 {
    case 0: data.removeLast(place(&random))
    case 1:
      let start = place(&random)
      for index in start..<min(data.count, start + Int(random.next() % 9000)) {
        data[index] = UInt8(truncatingIfNeeded: random.next())
      }
    case 2:
      let (from, to) = (place(&random) / 4096 * 4096, place(&random) / 4096 * 4096)
      data.replaceSubrange(to..<to + 4096, with: Data(data[from..<from + 4096]))
    default:
      for _ in 0..<(1 << (random.next() % 8)) { data[place(&random)] ^= 1 << UInt8(random.next() % 8) }
    }
    return data
  }

  /// Returns the output of a daemon that ended; `nil` if it serves.
  private static func lastWords(of daemon: ChildProcess) async -> [String]? {
    var lines: [String] = []
    for await line in daemon.errors {
      if line.contains("listening") { return nil }
      lines.append(line)
    }
    return lines
  }

  /// Reads everything, asks, answers and cancels.
  private static func use(_ http: UnixSocketHTTP, _ comment: Comment) async throws {
    var calls = ["/healthz", "/v1/presentations", "/v1/log?limit=1000", "/v1/surfaces", "/v1/status"].map { HTTPCall(.GET, $0) }
    let request = PresentationRequest.alert("after").jsonText
    calls.append(HTTPCall(.POST, APIPath.presentations, headers: ["Prefer": "respond-async"], json: request))
    calls.append(HTTPCall(.GET, "/v1/log?search=open"))
    for call in calls {
      let reply = try await http.reply(to: call)
      #expect(statuses.contains(reply.status), comment)
      guard reply.status == 500 || reply.status == 503 else { continue }
      #expect(try reply.problem.detail.hasPrefix("cannot "), comment)
    }
    let list = try await http.reply(to: HTTPCall(.GET, APIPath.presentations))
    let open = try list.json["presentations"]?.array ?? []
    for presentation in open.prefix(5) {
      let path = "\(APIPath.presentations)/\(presentation["id"]?.string ?? "")"
      for call in [
        HTTPCall(.GET, path), HTTPCall(.GET, path.replacing(APIPath.presentations, with: APIPath.log)),
        HTTPCall(.POST, path + "/answer", headers: [:], json: JSONText(["button": "yes"])), HTTPCall(.DELETE, path),
      ] {
        #expect(statuses.contains(try await http.reply(to: call).status), comment)
      }
    }
  }
}
