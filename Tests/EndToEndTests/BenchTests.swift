import Glibc
import Router
import RouterClient
import RouterTesting
import Testing

/// `routerctl bench` against a real daemon.
@Suite(.timeLimit(.minutes(20)))
struct BenchTests {
  private func bench(_ arguments: String..., on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess("routerctl", ["bench", "--socket", daemon.socket] + arguments)
  }

  private func json(_ lines: [String]) throws -> JSONValue {
    #expect(lines.count == 1)
    return try JSONValue(parsing: lines.first ?? "")
  }

  @Test(arguments: [(1, 1), (8, 1), (8, 4), (3, 5)])
  func `every presentation of a load is answered, and on record as that`(requesters: Int, surfaces: Int) async throws {
    try await TestDaemon.run { daemon in
      let bench = try bench(
        "--requesters", "\(requesters)", "--surfaces", "\(surfaces)", "--count", "100", "--warm-up", "7", "--json", on: daemon)
      let report = try json(await bench.allOutput())
      #expect(await bench.exitStatus() == 0)
      #expect(report["count"]?.number?.integer == 100)
      #expect(report["durability"]?.string == "full")
      #expect((report["latency"]?["p50"]?.number?.double ?? 0) > 0)
      let status = try await daemon.client.status()
      #expect(status["open"]?.number?.integer == 0)
      let reader = try AuditReader(path: daemon.database)
      var query = AuditQuery()
      query.apps = ["routerctl-bench"]
      query.limit = 200
      let presentations = try await reader.presentations(query).page
      #expect(presentations.count == 107)
      #expect(presentations.allSatisfy { $0.outcome == .answered(.button("deploy")) && $0.attached })
      #expect(Set(presentations.map(\.request.surface)).count == min(surfaces, requesters))
    }
  }

  @Test func `detached requests are answered too`() async throws {
    try await TestDaemon.run { daemon in
      let bench = try bench("--detach", "--requesters", "4", "--count", "50", "--json", on: daemon)
      #expect(try json(await bench.allOutput())["detached"]?.bool == true)
      #expect(await bench.exitStatus() == 0)
      #expect(try await daemon.client.status()["open"]?.number?.integer == 0)
    }
  }

  @Test func `what nobody is to answer is taken back`() async throws {
    try await TestDaemon.run { daemon in
      let bench = try bench("--detach", "--unanswered", "--requesters", "4", "--count", "50", on: daemon)
      #expect(await bench.allOutput().contains { $0.hasPrefix("put on record\t50 in ") })
      #expect(await bench.exitStatus() == 0)
      #expect(try await daemon.client.status()["open"]?.number?.integer == 0)
    }
  }

  @Test func `an interrupted load leaves nothing open`() async throws {
    try await TestDaemon.run { daemon in
      let bench = try bench("--detach", "--unanswered", "--requesters", "4", "--count", "5000000", on: daemon)
      while try await daemon.client.status()["open"]?.number?.integer == 0 {}
      bench.signal(SIGINT)
      #expect(await bench.exitStatus() == 2)
      #expect(try await daemon.client.status()["open"]?.number?.integer == 0)
    }
  }

  @Test func `a daemon's refusal ends the load with its reason`() async throws {
    try await TestDaemon.run(environment: ["ROUTERD_LIMITS_PER_SURFACE": "3"]) { daemon in
      let bench = try bench("--requesters", "8", "--count", "50", on: daemon)
      #expect(await bench.exitStatus() == 6)
      var errors: [String] = []
      for await line in bench.errors { errors.append(line) }
      #expect(errors.contains { $0.contains("routerctl: cannot ") }, "\(errors)")
    }
  }

  @Test func `without a daemon it says so`() async throws {
    let bench = try ChildProcess("routerctl", ["bench", "--socket", "/nowhere/at/all"])
    #expect(await bench.exitStatus() == 69)
  }
}
