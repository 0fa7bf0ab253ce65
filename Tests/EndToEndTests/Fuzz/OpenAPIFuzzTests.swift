import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// Valid and invalid calls generated from the daemon's own description: every reply must match it.
///
/// `scripts/fuzz` does the same with schemathesis, which knows far more kinds of mistakes and takes longer.
/// Promise P90.
@Suite(.timeLimit(.minutes(60)))
struct OpenAPIFuzzTests {
  /// Statuses that the description allows for any call.
  private static let anyway: Set<Int> = [404, 405, 408, 413, 429, 431]

  /// Operations of which at least one call must succeed, however many calls that takes.
  private static let mustSucceed = ["POST /v1/presentations/{id}/dismiss", "DELETE /v1/presentations/{id}"]

  private static func hasSucceeded(_ operation: String, in statuses: [String: [Int: Int]]) -> Bool {
    statuses[operation]?.keys.contains { $0 < 300 } ?? false
  }

  @Test func `replies to every call as described, and never with a 500`() async throws {
    let seed = TestSeed.make()
    try await TestDaemon.run(environment: ["ROUTERD_LIMITS_PER_SURFACE": "20"]) { daemon in
      let statuses = try await fuzz(daemon, seed: seed)
      for operation in statuses.keys.sorted() {
        let counts = statuses[operation] ?? [:]
        print(operation, counts.keys.sorted().map { "\($0): \(counts[$0] ?? 0)" }.joined(separator: ", "))
      }
      for operation in Self.mustSucceed {
        #expect(Self.hasSucceeded(operation, in: statuses), "seed \(seed): \(operation)")
      }
      daemon.process.signal(SIGTERM)
      await daemon.process.expectExit(0, "seed \(seed)")
    }
  }

  /// Makes the calls while presentations are shown.
  ///
  /// - Returns: The number of replies by operation and status.
  private func fuzz(_ daemon: TestDaemon, seed: UInt64) async throws -> [String: [Int: Int]] {
    let presenters = [
      TestPresenter(daemon.client), TestPresenter(daemon.client, on: "a"), TestPresenter(daemon.client, on: "x-1"),
    ]
    let document = try await daemon.call(.GET, APIPath.openAPI).json
    var generator = OpenAPIGenerator(document: document, seed: seed)
    #expect(generator.operations.count > 10)
    var statuses: [String: [Int: Int]] = [:]
    let count = TestSeed.count("ROUTER_FUZZ", otherwise: 1000)
    for number in 0..<20 * count {
      guard number < count || !Self.mustSucceed.allSatisfy({ Self.hasSucceeded($0, in: statuses) }) else { break }
      if number % 5 == 0 { generator.ids = try await ids(daemon) + generator.ids.suffix(2) }
      let (operation, call) = generator.next()
      let reply = try await daemon.http.reply(to: call)
      statuses["\(operation.method) \(operation.path)", default: [:]][reply.status, default: 0] += 1
      let body = call.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
      try check(reply, to: operation, "seed \(seed), call \(number): \(call.method) \(call.path) \(body)")
    }
    for presenter in presenters { presenter.disconnect() }
    return statuses
  }

  /// Returns the ids of shown and some queued presentations, submitting more if there are too few.
  private func ids(_ daemon: TestDaemon) async throws -> [String] {
    var open = try await daemon.open()
    while open.count < 4 {
      #expect(try await daemon.ask("?").status == 202)
      open = try await daemon.open()
    }
    let shown = open.filter { $0.state == .presented }
    return (shown + open.suffix(2)).map(\.id.description)
  }

  private func check(_ reply: HTTPReply, to operation: OpenAPIGenerator.Operation, _ comment: Comment) throws {
    #expect(reply.status < 500, comment)
    #expect(operation.statuses.contains(reply.status) || Self.anyway.contains(reply.status), comment)
    let type = reply.headers["Content-Type"].first
    guard reply.status >= 400 else {
      if type == "application/json" { _ = try reply.json }
      return
    }
    #expect(type == Problem.contentType, comment)
    let problem = try reply.problem
    #expect(problem.status == reply.status && problem.detail.hasPrefix("cannot "), comment)
  }
}
